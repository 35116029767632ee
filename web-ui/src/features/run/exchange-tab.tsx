import { SimpleGrid, Stack, Text } from "@mantine/core";
import type { EChartsOption } from "echarts";
import { useCallback, useMemo, type ReactNode } from "react";

import type { Run } from "@/api/schemas";
import { Chart } from "@/shared/chart/chart";
import { LineChart } from "@/shared/chart/line-chart";
import { seriesColor, usePalette, type Palette } from "@/shared/chart/palette";
import type { Series } from "@/shared/chart/series";
import { DataTable, type Column } from "@/shared/data-table";
import { traffic } from "@/shared/format";
import { Section } from "@/shared/section";

import { noFigures } from "./absence";
import { differences } from "./differences";
import { DifferingReplicas } from "./differing-replicas";
import { stalenessCounts } from "./rank-times";

interface ExchangeTabProps {
  readonly run: Run;
}

/** Bytes sent by each rank, staleness of the updates, and consensus distance. */
export function ExchangeTab({ run }: ExchangeTabProps): ReactNode {
  if (run.epochs.length === 0) {
    return <Text c="dimmed">{noFigures(run)}</Text>;
  }
  const differing = differences(run);
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <BytesChart run={run} />
        <DistanceChart run={run} />
        <StalenessChart run={run} />
      </SimpleGrid>
      {differing.length > 0 && <DifferingReplicas rows={differing} />}
      <Section title="Bytes sent in all epochs so far">
        <DataTable label="Sent by rank" columns={COLUMNS} rows={sent(run)} rowKey={({ rank }) => rank} />
      </Section>
    </Stack>
  );
}

interface Sent {
  readonly rank: number;
  readonly workerName: string | undefined;
  readonly bytes: number;
  readonly gradient: number;
  readonly weights: number;
  readonly control: number;
  readonly frames: number;
}

const COLUMNS: readonly Column<Sent>[] = [
  {
    header: "Rank",
    cell: ({ rank, workerName }) => (workerName === undefined ? rank : `${rank.toString()} · ${workerName}`),
  },
  { header: "Sent", cell: ({ bytes }) => traffic(bytes), numeric: true },
  { header: "Gradients", cell: ({ gradient }) => traffic(gradient), numeric: true },
  { header: "Weights", cell: ({ weights }) => traffic(weights), numeric: true },
  { header: "Coordination", cell: ({ control }) => traffic(control), numeric: true },
  { header: "Frames", cell: ({ frames }) => frames.toLocaleString("en"), numeric: true },
];

/** A rank that several workers have held shows no worker name. */
function sent({ generation, epochs, replicas }: Run): readonly Sent[] {
  const byRank = new Map<number, Sent>();
  for (const { rank, bytesSent, traffic: parts } of epochs.flatMap(({ ranks }) => ranks)) {
    const before = byRank.get(rank);
    byRank.set(rank, {
      rank,
      workerName: generation > 1 ? undefined : replicas.find((replica) => replica.rank === rank)?.workerName,
      bytes: (before?.bytes ?? 0) + bytesSent,
      gradient: (before?.gradient ?? 0) + parts.gradientBytes,
      weights: (before?.weights ?? 0) + parts.weightBytes,
      control: (before?.control ?? 0) + parts.controlBytes,
      frames: (before?.frames ?? 0) + parts.frames,
    });
  }
  return [...byRank.values()].sort((a, b) => a.rank - b.rank);
}

function BytesChart({ run: { epochs } }: ExchangeTabProps): ReactNode {
  const palette = usePalette();
  const series = useMemo((): readonly Series[] => {
    const ranks = [...new Set(epochs.flatMap((epoch) => epoch.ranks.map(({ rank }) => rank)))].sort((a, b) => a - b);
    return ranks.map((rank) => ({
      key: rank.toString(),
      label: `rank ${rank.toString()}`,
      color: seriesColor(palette, rank),
      x: epochs.map(({ epoch }) => epoch),
      y: epochs.map((epoch) => epoch.ranks.find((each) => each.rank === rank)?.bytesSent ?? null),
    }));
  }, [epochs, palette]);
  return <LineChart title="Bytes sent in an epoch" series={series} xLabel="epoch" yLabel="bytes" linked="exchange" />;
}

function DistanceChart({ run: { epochs } }: ExchangeTabProps): ReactNode {
  const palette = usePalette();
  const series = useMemo((): readonly Series[] => {
    const known = epochs.flatMap(({ epoch, distance }) => (distance === null ? [] : [{ epoch, distance }]));
    return [
      {
        key: "distance",
        label: "replicas from their mean",
        color: seriesColor(palette, 0),
        x: known.map(({ epoch }) => epoch),
        y: known.map(({ distance }) => distance.relative),
      },
    ];
  }, [epochs, palette]);
  return (series[0]?.x.length ?? 0) === 0 ? (
    <Section title="Consensus distance">
      <Text size="sm" c="dimmed" px="md" pb="md">
        It is measured with the first evaluation, or after an epoch in which replicas differ that should be equal.
        Agents of protocol 0.1 do not measure it if the method keeps replicas equal.
      </Text>
    </Section>
  ) : (
    <LineChart title="Relative consensus distance" series={series} xLabel="epoch" yLabel="distance" linked="exchange" />
  );
}

function StalenessChart({ run }: ExchangeTabProps): ReactNode {
  const counts = useMemo(() => stalenessCounts(run), [run]);
  const option = useCallback(
    (palette: Palette): EChartsOption => ({
      grid: { left: 8, right: 16, top: 16, bottom: 24, containLabel: true },
      tooltip: { trigger: "axis" },
      xAxis: {
        type: "category",
        name: "staleness",
        nameLocation: "middle",
        nameGap: 26,
        data: counts.map((_, staleness) => staleness.toString()),
        axisLabel: { color: palette.dimmed },
      },
      yAxis: { type: "value", axisLabel: { color: palette.dimmed }, splitLine: { lineStyle: { color: palette.grid } } },
      series: [{ type: "bar", name: "updates", data: [...counts], itemStyle: { color: seriesColor(palette, 0) } }],
    }),
    [counts],
  );
  return counts.length === 0 ? (
    <Section title="Staleness">
      <Text size="sm" c="dimmed" px="md" pb="md">
        This method has no stale updates.
      </Text>
    </Section>
  ) : (
    <Chart
      title="Staleness of the updates"
      spoken={counts.map((count, staleness) => `${staleness.toString()}: ${count.toLocaleString("en")}`).join("; ")}
      option={option}
      height={260}
      table={() => [["staleness", "updates"], ...counts.map((count, staleness) => [staleness, count])]}
    />
  );
}
