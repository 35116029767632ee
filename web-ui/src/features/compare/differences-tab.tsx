import { Text } from "@mantine/core";
import type { ReactNode } from "react";

import type { Schemas } from "@/api/schemas";
import { ExportMenu } from "@/shared/chart/export-menu";
import { DataTable, type Column } from "@/shared/data-table";
import { NONE } from "@/shared/format";
import { Section } from "@/shared/section";

import type { Subject } from "./subjects";

type Difference = Schemas["FieldDifference"];

interface DifferencesTabProps {
  readonly subjects: readonly Subject[];
  readonly differences: readonly Difference[];
}

/** Lists the fields of the definitions that differ, and apart from them those that follow. */
export function DifferencesTab({ subjects, differences }: DifferencesTabProps): ReactNode {
  const derived = differences.filter(({ written }) => !written);
  return (
    <>
      <Differences
        title="Fields that differ"
        subjects={subjects}
        differences={differences.filter(({ written }) => written)}
        empty={
          subjects.length === 1
            ? "Add a second run to see the differences."
            : "The definitions of these runs write equal values in every field."
        }
      />
      {derived.length > 0 && (
        <Differences title="Fields that follow from others" subjects={subjects} differences={derived} />
      )}
    </>
  );
}

interface DifferencesProps extends DifferencesTabProps {
  readonly title: string;
  readonly empty?: string;
}

function Differences({ title, subjects, differences, empty }: DifferencesProps): ReactNode {
  const columns: readonly Column<Difference>[] = [
    { header: "Field", cell: ({ path }) => path },
    ...subjects.map(({ name, fields }): Column<Difference> => ({
      header: name,
      cell: ({ path }) => fields.get(path) ?? NONE,
    })),
  ];
  return (
    <Section
      title={title}
      count={differences.length}
      actions={
        differences.length > 0 && (
          <ExportMenu
            name={title}
            table={() => [
              ["field", ...subjects.map(({ name }) => name)],
              ...differences.map(({ path }) => [path, ...subjects.map(({ fields }) => fields.get(path))]),
            ]}
          />
        )
      }
    >
      {differences.length === 0 ? (
        <Text size="sm" c="dimmed" px="md" pb="md">
          {empty}
        </Text>
      ) : (
        <DataTable label={title} columns={columns} rows={differences} rowKey={({ path }) => path} />
      )}
    </Section>
  );
}
