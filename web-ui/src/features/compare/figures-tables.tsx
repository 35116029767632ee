import { Text } from "@mantine/core";
import type { ReactNode } from "react";

import type { Schemas } from "@/api/schemas";
import { ExportMenu } from "@/shared/chart/export-menu";
import type { Row } from "@/shared/csv";
import { DataTable, type Column } from "@/shared/data-table";
import { factor, figure, percent, seconds, signedPercent, traffic } from "@/shared/format";
import { Section } from "@/shared/section";

import { Estimated } from "./estimated";
import { GroupOrder } from "./group-order";
import type { Subject } from "./subjects";

interface FiguresTablesProps {
  readonly comparison: Schemas["Comparison"];
  readonly subjects: readonly Subject[];
}

/** Tables of the figures of the runs, and of the seed groups. */
export function FiguresTables({ comparison, subjects }: FiguresTablesProps): ReactNode {
  const nameOf = (run: string): string => subjects.find(({ id }) => id === run)?.name ?? run;
  const comparesReplicas = comparison.compared === "replicas";
  const columns: readonly Column<ComparedRun>[] = [
    { header: "Run", cell: ({ run }) => nameOf(run) },
    ...(comparesReplicas ? [REPLICAS_OF_RUN] : []),
    ...RUN_COLUMNS,
  ];
  const groupColumns = [GROUP, ...(comparesReplicas ? [REPLICAS_OF_GROUP] : []), ...GROUP_COLUMNS];
  const isRepeated = comparison.groups.some(({ runs }) => runs.length > 1);
  return (
    <>
      <Section
        title="Runs"
        count={comparison.runs.length}
        actions={<ExportMenu name="Figures of the runs" table={() => runTable(comparison.runs, nameOf)} />}
      >
        <DataTable label="Figures of the runs" columns={columns} rows={comparison.runs} rowKey={({ run }) => run} />
        <Text size="xs" c="dimmed" px="md" py="xs">
          Speedups are relative to the baseline, and exist only for completed runs.
          {comparesReplicas && " Differences, targets and orders refer to the accuracy of the replicas."}
        </Text>
      </Section>
      {isRepeated && (
        <Section
          title="Seed groups"
          count={comparison.groups.length}
          actions={<ExportMenu name="Figures of the groups" table={() => groupTable(comparison.groups)} />}
        >
          <DataTable
            label="Figures of the groups"
            columns={groupColumns}
            rows={comparison.groups}
            rowKey={({ runs }) => runs.join()}
          />
          <Text size="xs" c="dimmed" px="md" py="xs">
            Below a mean: the 95 % confidence interval of four seeds or more, else the seeds themselves. Differences and
            speedups are paired by seed where the baseline has the same seeds.
          </Text>
        </Section>
      )}
      {isRepeated && <GroupOrder comparison={comparison} />}
    </>
  );
}

type ComparedRun = Schemas["ComparedRun"];
type ComparedFigures = Schemas["ComparedFigures"];
type ComparedGroup = Schemas["ComparedGroup"];

/** Shown where the definition compares the replicas: the final accuracy is that of their mean. */
const REPLICAS_OF_RUN: Column<ComparedRun> = {
  header: "Accuracy of the replicas",
  cell: ({ figures }) => percent(figures.replicaAccuracy),
  numeric: true,
};

const REPLICAS_OF_GROUP: Column<ComparedGroup> = {
  header: "Accuracy of the replicas",
  cell: ({ figures }) => <Estimated estimate={figures.replicaAccuracy} text={percent} />,
  numeric: true,
};

const RUN_COLUMNS: readonly Column<ComparedRun>[] = [
  { header: "Final accuracy", cell: ({ figures }) => percent(figures.finalAccuracy), numeric: true },
  { header: "Best accuracy", cell: ({ figures }) => percent(figures.bestAccuracy), numeric: true },
  { header: "Best replica", cell: ({ figures }) => bestReplica(figures), numeric: true },
  { header: "Test loss", cell: ({ figures }) => figure(figures.finalTestLoss), numeric: true },
  { header: "Training", cell: ({ figures }) => seconds(figures.trainingSeconds), numeric: true },
  { header: "Speedup", cell: ({ ratios }) => factor(ratios?.trainingTime), numeric: true },
  { header: "Sent", cell: ({ figures }) => traffic(figures.bytesSent), numeric: true },
  { header: "Time to target", cell: ({ figures }) => seconds(figures.secondsToTarget), numeric: true },
  { header: "Bytes to target", cell: ({ figures }) => traffic(figures.bytesToTarget), numeric: true },
  { header: "Speedup to target", cell: ({ ratios }) => factor(ratios?.timeToTarget), numeric: true },
];

const GROUP: Column<ComparedGroup> = { header: "Group", cell: ({ label }) => label };

const GROUP_COLUMNS: readonly Column<ComparedGroup>[] = [
  {
    header: "Completed",
    cell: ({ completed, runs }) => `${completed.toString()} of ${runs.length.toString()}`,
    numeric: true,
  },
  {
    header: "Final accuracy",
    cell: ({ figures }) => <Estimated estimate={figures.finalAccuracy} text={percent} />,
    numeric: true,
  },
  {
    header: "Difference to the baseline",
    cell: ({ accuracyDifference }) => <Estimated estimate={accuracyDifference} text={signedPercent} />,
    numeric: true,
  },
  {
    header: "Training",
    cell: ({ figures }) => <Estimated estimate={figures.trainingSeconds} text={seconds} />,
    numeric: true,
  },
  {
    header: "Speedup",
    cell: ({ ratios, ratioEstimates }) =>
      ratioEstimates === null ? (
        factor(ratios?.trainingTime)
      ) : (
        <Estimated estimate={ratioEstimates.trainingTime} text={factor} />
      ),
    numeric: true,
  },
  { header: "Sent", cell: ({ figures }) => <Estimated estimate={figures.bytesSent} text={traffic} />, numeric: true },
  {
    header: "Time to target",
    cell: ({ figures }) => <Estimated estimate={figures.secondsToTarget} text={seconds} />,
    numeric: true,
  },
  {
    header: "Reached the target",
    cell: ({ reached, completed }) => `${reached.toString()} of ${completed.toString()}`,
    numeric: true,
  },
];

function bestReplica({ bestReplica: rank, bestReplicaAccuracy }: ComparedFigures): string {
  return rank == null ? percent(null) : `${percent(bestReplicaAccuracy)} (rank ${rank.toString()})`;
}

function runTable(runs: readonly ComparedRun[], nameOf: (run: string) => string): readonly Row[] {
  return [
    [
      ...["run", "name", "final_accuracy", "best_accuracy", "test_loss", "training_seconds", "speedup", "bytes_sent"],
      ...["seconds_to_target", "bytes_to_target", "speedup_to_target"],
    ],
    ...runs.map(({ run, figures, ratios }) => [
      ...[run, nameOf(run), figures.finalAccuracy, figures.bestAccuracy, figures.finalTestLoss],
      ...[figures.trainingSeconds, ratios?.trainingTime, figures.bytesSent],
      ...[figures.secondsToTarget, figures.bytesToTarget, ratios?.timeToTarget],
    ]),
  ];
}

const ESTIMATED = ["finalAccuracy", "trainingSeconds", "bytesSent", "secondsToTarget"] as const;

function groupTable(groups: readonly ComparedGroup[]): readonly Row[] {
  return [
    [
      ...["group", "runs", "completed", "reached"],
      ...ESTIMATED.flatMap((name) => [name, `${name} low`, `${name} high`]),
      ...["speedup", "speedup low", "speedup high"],
    ],
    ...groups.map(({ label, runs, completed, reached, figures, ratios, ratioEstimates }) => [
      ...[label, runs.length, completed, reached],
      ...ESTIMATED.flatMap((name) => [figures[name]?.mean, figures[name]?.low, figures[name]?.high]),
      ...[ratios?.trainingTime, ratioEstimates?.trainingTime?.low, ratioEstimates?.trainingTime?.high],
    ]),
  ];
}
