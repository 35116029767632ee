import { Select } from "@mantine/core";
import type { ReactNode } from "react";

import { differing, pathsOf } from "./fields";
import { EQUAL, type Subject } from "./subjects";
import { useView } from "./use-view";

const EACH = "each";

interface GroupChoiceProps {
  readonly subjects: readonly Subject[];
}

/** Chooses how runs are grouped into lines. */
export function GroupChoice({ subjects }: GroupChoiceProps): ReactNode {
  const { view, change } = useView();
  const all = subjects.map(({ fields }) => fields);
  const different = differing(all);
  const others = pathsOf(all).filter((path) => !different.includes(path));
  return (
    <Select
      size="xs"
      w="20rem"
      label="Groups"
      searchable
      allowDeselect={false}
      value={view.group ?? EACH}
      data={[
        { value: EACH, label: "Each run separately" },
        { value: EQUAL, label: "Seed groups" },
        { group: "By a field that differs", items: [...different] },
        { group: "By a field with equal values", items: others },
      ]}
      nothingFoundMessage="No field matches"
      onChange={(group) => {
        change({ group: group === null || group === EACH ? undefined : group });
      }}
    />
  );
}
