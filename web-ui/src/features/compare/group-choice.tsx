import { Select } from "@mantine/core";
import type { ReactNode } from "react";

import { differing, pathsOf } from "./fields";
import { EQUAL, type Subject } from "./subjects";
import { useView } from "./use-view";

const EACH = "each";

interface GroupChoiceProps {
  readonly subjects: readonly Subject[];
}

/** By what runs are drawn as one. */
export function GroupChoice({ subjects }: GroupChoiceProps): ReactNode {
  const { view, change } = useView();
  const all = subjects.map(({ fields }) => fields);
  const telling = differing(all);
  const others = pathsOf(all).filter((path) => !telling.includes(path));
  return (
    <Select
      size="xs"
      w="20rem"
      label="Groups"
      searchable
      allowDeselect={false}
      value={view.group ?? EACH}
      data={[
        { value: EACH, label: "Each run by itself" },
        { value: EQUAL, label: "Equal but for the seed" },
        { group: "By a field that differs", items: [...telling] },
        { group: "By a field that is the same in all", items: others },
      ]}
      nothingFoundMessage="No field fits"
      onChange={(group) => {
        change({ group: group === null || group === EACH ? undefined : group });
      }}
    />
  );
}
