import { Group, SegmentedControl, SimpleGrid, Stack, Text } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, type ReactNode } from "react";

import type { Run } from "@/api/schemas";
import { LineChart } from "@/shared/chart/line-chart";
import { seriesColor, usePalette, type Palette } from "@/shared/chart/palette";
import type { Series } from "@/shared/chart/series";
import { QueryView } from "@/shared/query-view";
import { axisTitle } from "@/shared/run/axis-titles";
import { METRIC_TITLES, metricTitle } from "@/shared/run/metric-titles";

import { noMetrics } from "./absence";
import { curveKey, lineOf, type LivePoints } from "./live-points";
import { X_AXES, type XAxis } from "./run-search";
import { useLivePoints } from "./use-live-run";
import { useCurves, useMetrics, type Curves } from "./use-run";

interface CurvesTabProps {
  readonly run: Run;
}

/** Draws loss and accuracy of each replica and of the mean model, over the axis in the address. */
export function CurvesTab({ run }: CurvesTabProps): ReactNode {
  const { x = "step" } = useSearch({ from: "/runs/$run" });
  const navigate = useNavigate({ from: "/runs/$run" });
  const metrics = useMetrics(run.id);
  return (
    <Stack>
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          Over
        </Text>
        <SegmentedControl
          size="xs"
          aria-label="Axis"
          value={x}
          data={X_AXES.map((value) => ({ value, label: axisTitle(value) }))}
          onChange={(value) => void navigate({ search: (before) => ({ ...before, x: value }), replace: true })}
        />
      </Group>
      <QueryView query={metrics} what="curves">
        {({ items, droppedPoints }) => {
          const names = Object.keys(METRIC_TITLES).filter((name) => items.some((metric) => metric.name === name));
          return (
            <>
              {names.length === 0 && <Text c="dimmed">{noMetrics(run)}</Text>}
              {droppedPoints > 0 && (
                <Text size="sm" c="dimmed">
                  {droppedPoints.toLocaleString("en")} points had no room; the curves are coarser there.
                </Text>
              )}
              <SimpleGrid cols={{ base: 1, lg: 2 }}>
                {names.map((name) => (
                  <MetricChart key={name} run={run} name={name} x={x} />
                ))}
              </SimpleGrid>
            </>
          );
        }}
      </QueryView>
    </Stack>
  );
}

interface MetricChartProps {
  readonly run: Run;
  readonly name: string;
  readonly x: XAxis;
}

function MetricChart({ run, name, x }: MetricChartProps): ReactNode {
  const palette = usePalette();
  const query = useCurves(run.id, name, x);
  const points = useLivePoints(run.id);
  const { rounds, replicas } = run;
  const { data } = query;
  const series = useMemo(
    () => (data === undefined ? [] : seriesOf(name, data, points, { rounds, replicas }, palette)),
    [name, data, points, rounds, replicas, palette],
  );
  const title = metricTitle(name);
  return (
    <QueryView query={query} what={`points of ${title}`}>
      {({ x }) => <LineChart title={title} series={series} xLabel={axisTitle(x)} yLabel={name} linked={`run ${x}`} />}
    </QueryView>
  );
}

function seriesOf(
  name: string,
  { x, curves }: Curves,
  points: LivePoints,
  { rounds, replicas }: Pick<Run, "rounds" | "replicas">,
  palette: Palette,
): Series[] {
  return curves.map(({ rank, buckets }) => {
    const worker = replicas.find((replica) => replica.rank === rank)?.workerName;
    return {
      key: rank?.toString() ?? "mean",
      label: rank == null ? "mean model" : `rank ${rank.toString()}${worker === undefined ? "" : ` (${worker})`}`,
      color: rank == null ? palette.text : seriesColor(palette, rank),
      ...lineOf(buckets, rank == null ? [] : (points.get(curveKey(name, rank)) ?? []), x, rounds),
    };
  });
}
