import { Code, Text } from "@mantine/core";
import type { ReactNode } from "react";

import type { RunSummary } from "@/api/schemas";
import { DataTable, type Column } from "@/shared/data-table";
import { figure, NONE, percent, seconds, signedPercent } from "@/shared/format";
import { Listing } from "@/shared/listing";
import { Section } from "@/shared/section";
import { StateBadge } from "@/shared/state-badge";

import { setting } from "./configuration";
import { RunDetails } from "./run-details";
import { RunProgress } from "./run-progress";
import { STATE_COLORS } from "./run-states";
import { useRuns } from "./use-runs";

const COLUMNS: readonly Column<RunSummary>[] = [
  { header: "Run", cell: ({ experimentName }) => experimentName },
  { header: "Partitioning", cell: (run) => <Partitioning run={run} /> },
  { header: "Seed", cell: ({ seed }) => seed, numeric: true },
  { header: "State", cell: ({ state }) => <StateBadge state={state} color={STATE_COLORS[state]} /> },
  { header: "Progress", cell: (run) => <RunProgress run={run} /> },
  { header: "Epoch time", cell: ({ epochSeconds }) => seconds(epochSeconds), numeric: true },
  { header: "Predicted", cell: (run) => <Predicted run={run} />, numeric: true },
  { header: "Accuracy", cell: ({ testAccuracy }) => percent(testAccuracy), numeric: true },
  { header: "Test loss", cell: ({ testLoss }) => figure(testLoss), numeric: true },
  { header: "Replicas", cell: (run) => <Agreement run={run} /> },
];

interface RunsProps {
  readonly project: string;
}

export function Runs({ project }: RunsProps): ReactNode {
  const query = useRuns(project);
  return (
    <Section title="Runs" count={query.data?.length}>
      <Listing
        query={query}
        what="runs"
        empty={
          <>
            No runs yet. POST to <Code>/api/v1/experiments/EXPERIMENT/runs</Code> queues those of an experiment.
          </>
        }
      >
        {(runs) => (
          <DataTable
            label="Runs"
            columns={COLUMNS}
            rows={runs}
            rowKey={({ id }) => id}
            note={explanation}
            details={{
              label: (run) => `Details of ${name(run)}`,
              content: ({ id }) => <RunDetails id={id} />,
            }}
          />
        )}
      </Listing>
    </Section>
  );
}

interface RunProps {
  readonly run: RunSummary;
}

function name(run: RunSummary): string {
  return `${run.experimentName}, ${run.partitioning.kind} partitioning, seed ${run.seed.toString()}`;
}

/** Why the run does not go on. */
function explanation({ failure, waiting }: RunSummary): ReactNode {
  if (failure) {
    return (
      <Text size="sm" c="var(--mantine-color-error)">
        Failed ({failure.cause}): {failure.message}
      </Text>
    );
  }
  return (
    waiting && (
      <Text size="sm" c="dimmed">
        Waiting: {waiting.message}
      </Text>
    )
  );
}

function Partitioning({ run: { partitioning } }: RunProps): ReactNode {
  const model = setting(partitioning, "model");
  return (
    <>
      {partitioning.kind}
      {model && (
        <Text c="dimmed" size="xs">
          {model}
        </Text>
      )}
    </>
  );
}

/** The predicted time of an epoch, and how far it lies from the measured one. */
function Predicted({ run: { prediction, epochSeconds } }: RunProps): ReactNode {
  return (
    <>
      {seconds(prediction?.epochSeconds)}
      {prediction && epochSeconds != null && epochSeconds > 0 && (
        <Text c="dimmed" size="xs" title="Error of the prediction, in parts of the measured time">
          {signedPercent((prediction.epochSeconds - epochSeconds) / epochSeconds)}
        </Text>
      )}
    </>
  );
}

function Agreement({ run: { replicasIdentical } }: RunProps): ReactNode {
  if (replicasIdentical == null) {
    return NONE;
  }
  return replicasIdentical ? (
    "identical"
  ) : (
    <Text inherit c="var(--equipoise-caution)">
      differ
    </Text>
  );
}
