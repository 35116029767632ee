import { Text } from "@mantine/core";
import type { ReactNode } from "react";

import { DataTable, type Column } from "@/shared/data-table";
import { Section } from "@/shared/section";

import type { Difference } from "./differences";

const DIGITS = 2;

const COLUMNS: readonly Column<Difference>[] = [
  { header: "Rank", cell: ({ name }) => name },
  { header: "From rank", cell: ({ from }) => from },
  { header: "Distance", cell: ({ absolute }) => absolute.toExponential(DIGITS), numeric: true },
  { header: "Of the norm", cell: ({ relative }) => relative.toExponential(DIGITS), numeric: true },
];

/** Replicas that differ though the method keeps them equal, with their workers and processors. */
export function DifferingReplicas({ rows }: { readonly rows: readonly Difference[] }): ReactNode {
  return (
    <Section title="Replicas that differ">
      <Text size="sm" c="dimmed" px="md" pb="md">
        The method keeps replicas equal, but these processors round differently.
      </Text>
      <DataTable label="Replicas that differ" columns={COLUMNS} rows={rows} rowKey={({ rank }) => rank} />
    </Section>
  );
}
