import { Button, Group, Menu, Modal, NumberInput, Stack, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";

import type { RunSummary } from "@/api/schemas";
import { Notice } from "@/shared/notice";
import { useRights } from "@/shared/rights";

import { isFinal } from "./run-states";
import { TagFields, type TagChange } from "./tag-fields";
import { useRunChange, type RunChange } from "./use-run-changes";

type Target = Pick<RunSummary, "id" | "project" | "state" | "priority" | "tags">;
type Kind = RunChange["kind"];

interface RunActionsProps {
  readonly runs: readonly Target[];
  readonly onDeleted?: () => void;
}

const TITLES: Record<Kind, string> = {
  cancel: "Cancel",
  rerun: "Run again",
  priority: "Change priority",
  tags: "Change tags",
  delete: "Delete",
};

/** Actions that do not apply to runs that have ended. */
const OPEN_ONLY: readonly Kind[] = ["cancel", "priority"];

/** Actions of the caller on the runs; destructive ones need a confirmation. */
export function RunActions({ runs, onDeleted }: RunActionsProps): ReactNode {
  const rights = useRights();
  const [chosen, setChosen] = useState<Kind | null>(null);
  const targets = chosen === null ? [] : runs.filter(({ state }) => !OPEN_ONLY.includes(chosen) || !isFinal(state));
  const mayEdit = runs.length > 0 && runs.every(({ project }) => rights.has("editor", project));
  const fitting: Record<Kind, boolean> = {
    cancel: runs.some(({ state }) => !isFinal(state)),
    rerun: true,
    priority: runs.some(({ state }) => !isFinal(state)),
    tags: true,
    delete: runs.every(({ state }) => isFinal(state)),
  };
  if (!mayEdit) {
    return null;
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default">
            Actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(Object.keys(TITLES) as Kind[]).map((kind) => (
            <Menu.Item
              key={kind}
              disabled={!fitting[kind]}
              color={kind === "delete" ? "red" : undefined}
              onClick={() => {
                setChosen(kind);
              }}
            >
              {TITLES[kind]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={chosen !== null}
        title={chosen === null ? "" : `${TITLES[chosen]}: ${count(targets.length)}`}
        onClose={() => {
          setChosen(null);
        }}
      >
        {chosen !== null && (
          <ActionForm
            kind={chosen}
            runs={targets}
            onClose={() => {
              setChosen(null);
            }}
            onDone={() => {
              setChosen(null);
              if (chosen === "delete") {
                onDeleted?.();
              }
            }}
          />
        )}
      </Modal>
    </>
  );
}

function count(runs: number): string {
  return runs === 1 ? "1 run" : `${runs.toString()} runs`;
}

interface ActionFormProps {
  readonly kind: Kind;
  readonly runs: readonly Target[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function ActionForm({ kind, runs, onClose, onDone }: ActionFormProps): ReactNode {
  const [priority, setPriority] = useState(runs[0]?.priority ?? 0);
  const [tags, setTags] = useState<TagChange>({ added: [], removed: [] });
  const change = useRunChange(runs);

  function submit(): void {
    const wanted: RunChange = kind === "priority" ? { kind, priority } : kind === "tags" ? { kind, ...tags } : { kind };
    change.mutate(wanted, {
      onSuccess: ({ rejections }) => {
        if (rejections.length === 0) {
          onDone();
        }
      },
    });
  }

  return (
    <Stack>
      {change.error && <Notice title="The request was rejected" error={change.error} />}
      {change.data && change.data.rejections.length > 0 && (
        <Notice
          title={`Changed ${count(change.data.count)}; ${change.data.rejections.length.toString()} rejected`}
          error={new Error([...new Set(change.data.rejections)].join(" "))}
        />
      )}
      {kind === "priority" && (
        <NumberInput
          label="Priority"
          description="Runs of a project start in the order of priority and age"
          min={-100}
          max={100}
          allowDecimal={false}
          value={priority}
          onChange={(value) => {
            setPriority(Number(value));
          }}
          data-autofocus
        />
      )}
      {kind === "tags" && <TagFields runs={runs} change={tags} onChange={setTags} />}
      <Text size="sm">{SENTENCES[kind]}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Back
        </Button>
        <Button
          color={kind === "delete" || kind === "cancel" ? "red" : undefined}
          loading={change.isPending}
          onClick={submit}
        >
          {TITLES[kind]}
        </Button>
      </Group>
    </Stack>
  );
}

const SENTENCES: Record<Kind, string> = {
  cancel: "The runs stop for good and keep their figures so far.",
  rerun: "Queues a new run with the same configuration for each; the service makes its automatic choices again.",
  priority: "",
  tags: "",
  delete: "Deletes the runs with all their figures. This cannot be undone.",
};
