import { MultiSelect, TagsInput } from "@mantine/core";
import type { ReactNode } from "react";

import type { RunSummary } from "@/api/schemas";

import type { RunChange } from "./use-run-changes";

const MAX_TAGS = 20;

export type TagChange = Pick<RunChange & { kind: "tags" }, "added" | "removed">;

interface TagFieldsProps {
  readonly runs: readonly Pick<RunSummary, "tags">[];
  readonly change: TagChange;
  readonly onChange: (change: TagChange) => void;
}

/**
 * Edits the tags of a single run; for several runs, edits the tags to add and to remove, so that each keeps its other
 * tags.
 */
export function TagFields({ runs, change: { added, removed }, onChange }: TagFieldsProps): ReactNode {
  const [only] = runs;
  if (runs.length === 1 && only !== undefined) {
    return (
      <TagsInput
        label="Tags"
        description="At most 20; press Enter after each"
        maxTags={MAX_TAGS}
        openOnFocus={false}
        value={[...only.tags.filter((tag) => !removed.includes(tag)), ...added]}
        onChange={(tags) => {
          onChange({
            added: tags.filter((tag) => !only.tags.includes(tag)),
            removed: only.tags.filter((tag) => !tags.includes(tag)),
          });
        }}
        data-autofocus
      />
    );
  }
  return (
    <>
      <TagsInput
        label="Add to all"
        description="A run has at most 20; press Enter after each"
        maxTags={MAX_TAGS}
        openOnFocus={false}
        value={[...added]}
        onChange={(tags) => {
          onChange({ added: tags, removed });
        }}
        data-autofocus
      />
      <MultiSelect
        label="Remove from all"
        data={[...new Set(runs.flatMap(({ tags }) => tags))]}
        value={[...removed]}
        onChange={(tags) => {
          onChange({ added, removed: tags });
        }}
      />
    </>
  );
}
