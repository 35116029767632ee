import { SimpleGrid, Stack, Text } from "@mantine/core";
import type { EChartsOption } from "echarts";
import { useCallback, useMemo, type ReactNode } from "react";

import type { Run } from "@/api/schemas";
import { Chart } from "@/shared/chart/chart";
import { PHASES, type Palette } from "@/shared/chart/palette";
import { DataTable, type Column } from "@/shared/data-table";
import { NONE, percent, seconds, sentence, signedPercent } from "@/shared/format";
import { Section } from "@/shared/section";

import { noWorkers } from "./absence";
import { rankTimes, type RankTimes } from "./rank-times";
import { phaseRows, RUN_PHASES, type PhaseRow } from "./run-phases";
import { Timeline } from "./timeline";
import { Waterfall } from "./waterfall";

interface TimeTabProps {
  readonly run: Run;
}

/** The time of a run as a waterfall, and below it the times of its ranks. */
export function TimeTab({ run }: TimeTabProps): ReactNode {
  return (
    <Stack>
      <Waterfall run={run} />
      <Ranks run={run} />
    </Stack>
  );
}

/** Run phases, and phase times of each rank: the mean per epoch and, if a trace was recorded, the timeline. */
function Ranks({ run }: TimeTabProps): ReactNode {
  const ranks = useMemo(() => rankTimes(run), [run]);
  const phases = useMemo(() => phaseRows(run), [run]);
  if (ranks.length === 0) {
    return <Text c="dimmed">{noWorkers(run)}</Text>;
  }
  return (
    <>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <PhaseBars ranks={ranks} />
        <Predictions run={run} />
      </SimpleGrid>
      <Section title="Ranks, mean per epoch">
        <DataTable label="Ranks" columns={COLUMNS} rows={ranks} rowKey={({ rank }) => rank} />
      </Section>
      {phases.length > 0 && (
        <Section title="Elapsed time and its run phases">
          <DataTable label="Run phases" columns={PHASE_COLUMNS} rows={phases} rowKey={({ name }) => name} />
        </Section>
      )}
      <Timeline run={run} />
    </>
  );
}

const COLUMNS: readonly Column<RankTimes>[] = [
  { header: "Rank", cell: ({ rank, workerName }) => `${rank.toString()} · ${workerName}` },
  {
    header: "Share",
    cell: ({ part, samples }) => (
      <span title={`${samples.toLocaleString("en")} samples per epoch`}>{percent(part)}</span>
    ),
    numeric: true,
  },
  ...PHASES.map((phase): Column<RankTimes> => ({
    header: phase,
    cell: (rank) => seconds(rank.seconds?.[phase]),
    numeric: true,
  })),
  { header: "overlapped", cell: ({ hiddenSeconds }) => seconds(hiddenSeconds), numeric: true },
];

const PHASE_COLUMNS: readonly Column<PhaseRow>[] = [
  { header: "Of", cell: ({ name }) => name },
  { header: "elapsed", cell: ({ elapsedSeconds }) => seconds(elapsedSeconds), numeric: true },
  ...RUN_PHASES.map(([phase, title]): Column<PhaseRow> => ({
    header: title,
    cell: ({ phases }) => seconds(phases[phase]),
    numeric: true,
  })),
];

function PhaseBars({ ranks }: { readonly ranks: readonly RankTimes[] }): ReactNode {
  const option = useCallback(
    (palette: Palette): EChartsOption => ({
      grid: { left: 8, right: 16, top: 34, bottom: 8, containLabel: true },
      legend: { top: 0, textStyle: { color: palette.text } },
      tooltip: { trigger: "axis", axisPointer: { type: "shadow" }, valueFormatter: (value) => seconds(Number(value)) },
      xAxis: {
        type: "value",
        name: "s",
        axisLabel: { color: palette.dimmed },
        splitLine: { lineStyle: { color: palette.grid } },
      },
      yAxis: { type: "category", inverse: true, data: ranks.map(nameOf), axisLabel: { color: palette.text } },
      series: PHASES.map((phase) => ({
        type: "bar",
        name: phase,
        stack: "phases",
        barMaxWidth: 28,
        itemStyle: { color: palette.phases[phase] },
        data: ranks.map((rank) => rank.seconds?.[phase] ?? 0),
      })),
    }),
    [ranks],
  );
  const spoken = ranks
    .map((rank) => `${nameOf(rank)}: ${PHASES.map((phase) => `${phase} ${seconds(rank.seconds?.[phase])}`).join(", ")}`)
    .join("; ");
  return (
    <Chart
      title="Seconds of an epoch, by rank"
      spoken={spoken}
      option={option}
      height={80 + 44 * ranks.length}
      table={() => [
        ["rank", ...PHASES],
        ...ranks.map((rank) => [rank.rank, ...PHASES.map((phase) => rank.seconds?.[phase])]),
      ]}
    />
  );
}

function nameOf({ rank, workerName }: RankTimes): string {
  return `${rank.toString()} · ${workerName}`;
}

type Validated = NonNullable<Run["validation"]>["ranks"][number];

/** Compares predicted and measured epoch times. */
function Predictions({ run: { validation, prediction, epochSeconds } }: TimeTabProps): ReactNode {
  if (validation === null) {
    return (
      <Section title="Predicted and measured">
        <Text size="sm" c="dimmed" px="md" pb="md">
          {prediction === null
            ? "There is no prediction, because the workers had no profile of this network when the run was placed."
            : `Predicted ${seconds(prediction.epochSeconds)}, measured ${seconds(epochSeconds)} so far.`}
        </Text>
      </Section>
    );
  }
  const columns: readonly Column<Validated>[] = [
    { header: "Rank", cell: ({ rank }) => rank },
    ...(["computeSeconds", "transferSeconds", "waitSeconds"] as const).map((figure): Column<Validated> => ({
      header: figure.replace("Seconds", ""),
      numeric: true,
      cell: ({ predicted, measured }) =>
        `${seconds(predicted[figure])} / ${measured ? seconds(measured[figure]) : NONE}`,
    })),
  ];
  return (
    <Section title="Predicted / measured">
      <Text size="sm" px="md" pb="xs">
        An epoch: {seconds(validation.predictedSeconds)} / {seconds(validation.measuredSeconds)}, an error of{" "}
        {signedPercent(validation.error)}.{prediction?.doubts.map((doubt) => ` ${sentence(doubt)}`)}
      </Text>
      <DataTable label="Predicted and measured" columns={columns} rows={validation.ranks} rowKey={({ rank }) => rank} />
    </Section>
  );
}
