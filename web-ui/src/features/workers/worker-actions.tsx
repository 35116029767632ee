import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";

import type { Worker } from "@/api/schemas";
import { Notice } from "@/shared/notice";
import { useRights } from "@/shared/rights";

import { useWorkerChange, type WorkerChange } from "./use-changes";

interface WorkerActionsProps {
  readonly workers: readonly Worker[];
}

const CHANGES: readonly WorkerChange[] = ["cordon", "uncordon", "drain"];

const TITLES: Record<WorkerChange, string> = { cordon: "Cordon", uncordon: "Uncordon", drain: "Drain" };

const SENTENCES: Record<WorkerChange, string> = {
  cordon:
    "The worker gets no new run, profile or link measurement. Its current work continues; measurements that have not begun are canceled.",
  uncordon: "The worker gets work again. A drained worker stays unless it has already been told to leave.",
  drain:
    "The worker gets no new work and leaves the lab when its current work has ended. To come back, it must be started again.",
};

/** Actions of administrators on workers, each with a confirmation. */
export function WorkerActions({ workers }: WorkerActionsProps): ReactNode {
  const { isAdministrator } = useRights();
  const [chosen, setChosen] = useState<WorkerChange | null>(null);
  if (!isAdministrator || workers.length === 0) {
    return null;
  }
  const close = (): void => {
    setChosen(null);
  };
  return (
    <>
      {CHANGES.map((change) => (
        <Button
          key={change}
          size="xs"
          variant="default"
          disabled={!workers.some((worker) => fits(change, worker))}
          onClick={() => {
            setChosen(change);
          }}
        >
          {TITLES[change]}
        </Button>
      ))}
      <Modal
        opened={chosen !== null}
        onClose={close}
        title={chosen === null ? "" : `${TITLES[chosen]}: ${names(workers)}`}
      >
        {chosen !== null && (
          <Confirmation change={chosen} workers={workers.filter((worker) => fits(chosen, worker))} onClose={close} />
        )}
      </Modal>
    </>
  );
}

function fits(change: WorkerChange, { cordon, state }: Worker): boolean {
  const after = { cordon: "CORDONED", uncordon: "OPEN", drain: "DRAINED" } as const;
  return state !== "LEFT" && cordon !== after[change];
}

function names(workers: readonly Worker[]): string {
  return workers.length > 3 ? `${workers.length.toString()} workers` : workers.map(({ name }) => name).join(", ");
}

interface ConfirmationProps extends WorkerActionsProps {
  readonly change: WorkerChange;
  readonly onClose: () => void;
}

function Confirmation({ change, workers, onClose }: ConfirmationProps): ReactNode {
  const mutation = useWorkerChange(workers.map(({ id }) => id));
  return (
    <Stack>
      {mutation.error && <Notice title="The request was rejected" error={mutation.error} />}
      <Text size="sm">{SENTENCES[change]}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Do not change
        </Button>
        <Button
          color={change === "drain" ? "red" : undefined}
          loading={mutation.isPending}
          data-autofocus
          onClick={() => {
            mutation.mutate(change, { onSuccess: onClose });
          }}
        >
          {TITLES[change]}
        </Button>
      </Group>
    </Stack>
  );
}
