import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";

import type { Worker } from "@/api/schemas";
import { Notice } from "@/shared/notice";
import { useRights } from "@/shared/rights";

import { useWorkerChange, type WorkerChange } from "./use-changes";

interface WorkerActionsProps {
  readonly workers: readonly Worker[];
  readonly onRemoved?: () => void;
}

const CHANGES: readonly WorkerChange[] = ["cordon", "uncordon", "drain", "remove"];

const TITLES: Record<WorkerChange, string> = {
  cordon: "Cordon",
  uncordon: "Uncordon",
  drain: "Drain",
  remove: "Remove",
};

const SENTENCES: Record<WorkerChange, string> = {
  cordon:
    "The worker gets no new run, profile or link measurement. Its current work continues; measurements that have not begun are canceled.",
  uncordon: "The worker gets work again. A drained worker stays unless it has already been told to leave.",
  drain:
    "The worker gets no new work and leaves the lab when its current work has ended. To come back, it must be started again.",
  remove:
    "The worker is gone from the lab; its past runs keep its name. Its agent needs a join token to join again, as a new worker without profiles.",
};

/** Actions of administrators on workers, each with a confirmation. */
export function WorkerActions({ workers, onRemoved }: WorkerActionsProps): ReactNode {
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
          <Confirmation
            change={chosen}
            workers={workers.filter((worker) => fits(chosen, worker))}
            onClose={close}
            onDone={() => {
              close();
              if (chosen === "remove") {
                onRemoved?.();
              }
            }}
          />
        )}
      </Modal>
    </>
  );
}

function fits(change: WorkerChange, { cordon, state }: Worker): boolean {
  if (change === "remove") {
    return state === "LOST" || state === "LEFT";
  }
  const after = { cordon: "CORDONED", uncordon: "OPEN", drain: "DRAINED" } as const;
  return state !== "LEFT" && cordon !== after[change];
}

function names(workers: readonly Worker[]): string {
  return workers.length > 3 ? `${workers.length.toString()} workers` : workers.map(({ name }) => name).join(", ");
}

interface ConfirmationProps {
  readonly change: WorkerChange;
  readonly workers: readonly Worker[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function Confirmation({ change, workers, onClose, onDone }: ConfirmationProps): ReactNode {
  const mutation = useWorkerChange(workers.map(({ id }) => id));
  return (
    <Stack>
      {mutation.error && <Notice title="The request was rejected" error={mutation.error} />}
      <Text size="sm">{SENTENCES[change]}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Back
        </Button>
        <Button
          color={change === "drain" || change === "remove" ? "red" : undefined}
          loading={mutation.isPending}
          data-autofocus
          onClick={() => {
            // A removed worker takes this dialog along, so that callbacks of mutate would not be called.
            mutation.mutateAsync(change).then(onDone, () => undefined);
          }}
        >
          {TITLES[change]}
        </Button>
      </Group>
    </Stack>
  );
}
