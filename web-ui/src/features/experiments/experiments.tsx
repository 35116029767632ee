import { Code } from "@mantine/core";
import type { ReactNode } from "react";

import type { ExperimentSummary } from "@/api/schemas";
import { DataTable, type Column } from "@/shared/data-table";
import { moment } from "@/shared/format";
import { Listing } from "@/shared/listing";
import { Section } from "@/shared/section";

import { useExperiments } from "./use-experiments";

const COLUMNS: readonly Column<ExperimentSummary>[] = [
  { header: "Experiment", cell: ({ name }) => name },
  { header: "Version", cell: ({ version }) => version, numeric: true },
  { header: "Configurations", cell: ({ configurationCount }) => configurationCount, numeric: true },
  { header: "Created", cell: ({ createdAt }) => <time dateTime={createdAt}>{moment(createdAt)}</time> },
];

interface ExperimentsProps {
  readonly project: string;
}

export function Experiments({ project }: ExperimentsProps): ReactNode {
  const query = useExperiments(project);
  return (
    <Section title="Experiments" count={query.data?.length}>
      <Listing
        query={query}
        what="experiments"
        empty={
          <>
            No experiments yet. POST a definition to <Code>/api/v1/projects/{project}/experiments</Code>.
          </>
        }
      >
        {(experiments) => (
          <DataTable label="Experiments" columns={COLUMNS} rows={experiments} rowKey={({ id }) => id} />
        )}
      </Listing>
    </Section>
  );
}
