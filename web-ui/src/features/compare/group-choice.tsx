import { Select } from "@mantine/core";
import type { ReactNode } from "react";

import type { Schemas } from "@/api/schemas";

import { EACH, EQUAL } from "./subjects";
import { useView } from "./use-view";

interface GroupChoiceProps {
  /** The present grouping. */
  readonly by: string;
  readonly differences: Schemas["ComparedSubjects"]["differences"];
}

/** Chooses how runs are grouped into lines. */
export function GroupChoice({ by, differences }: GroupChoiceProps): ReactNode {
  const { change } = useView();
  const pathsOf = (written: boolean): string[] =>
    differences.filter((each) => each.written === written).map(({ path }) => path);
  return (
    <Select
      size="xs"
      w="20rem"
      label="Groups"
      searchable
      allowDeselect={false}
      value={by}
      data={[
        { value: EQUAL, label: "Seed groups" },
        { value: EACH, label: "Each run separately" },
        { group: "By a field that differs", items: pathsOf(true) },
        { group: "By a field that follows from others", items: pathsOf(false) },
      ]}
      nothingFoundMessage="No field matches"
      onChange={(group) => {
        change({ group: group ?? undefined });
      }}
    />
  );
}
