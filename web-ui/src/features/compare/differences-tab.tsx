import { Text } from "@mantine/core";
import { useMemo, type ReactNode } from "react";

import { ExportMenu } from "@/shared/chart/export-menu";
import { DataTable, type Column } from "@/shared/data-table";
import { NONE } from "@/shared/format";
import { Section } from "@/shared/section";

import { differing } from "./fields";
import type { Subject } from "./subjects";

interface DifferencesTabProps {
  readonly subjects: readonly Subject[];
}

/** Lists the fields of the definitions that differ. */
export function DifferencesTab({ subjects }: DifferencesTabProps): ReactNode {
  const paths = useMemo(() => differing(subjects.map(({ fields }) => fields)), [subjects]);
  const columns: readonly Column<string>[] = [
    { header: "Field", cell: (path) => path },
    ...subjects.map(({ name, fields }): Column<string> => ({ header: name, cell: (path) => fields.get(path) ?? NONE })),
  ];
  return (
    <Section
      title="Fields that differ"
      count={paths.length}
      actions={
        paths.length > 0 && (
          <ExportMenu
            name="Fields that differ"
            table={() => [
              ["field", ...subjects.map(({ name }) => name)],
              ...paths.map((path) => [path, ...subjects.map(({ fields }) => fields.get(path))]),
            ]}
          />
        )
      }
    >
      {paths.length === 0 ? (
        <Text size="sm" c="dimmed" px="md" pb="md">
          {subjects.length === 1
            ? "Add a second run to see the differences."
            : "The definitions of these runs are equal in every field."}
        </Text>
      ) : (
        <DataTable label="Fields that differ" columns={columns} rows={paths} rowKey={(path) => path} />
      )}
    </Section>
  );
}
