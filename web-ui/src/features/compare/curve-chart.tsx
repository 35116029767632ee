import { Skeleton, Text } from "@mantine/core";
import { useMemo, type ReactNode } from "react";

import type { Schemas } from "@/api/schemas";
import { LineChart } from "@/shared/chart/line-chart";
import { usePalette } from "@/shared/chart/palette";
import { Notice } from "@/shared/notice";
import { axisTitle } from "@/shared/run/axis-titles";
import { metricTitle } from "@/shared/run/metric-titles";

import { curveRequests } from "./curve-requests";
import { linesOf, seriesOf } from "./lines";
import { lookOf } from "./looks";
import type { RunGroup } from "./subjects";
import { useComparedCurves } from "./use-compare";
import { useView } from "./use-view";

/** Height of a chart of curves without its legend, in pixels. */
export const CURVE_HEIGHT = 300;

interface CurveChartProps {
  readonly name: string;
  readonly metrics: ReadonlyMap<string, readonly Schemas["Metric"][]>;
  readonly groups: readonly RunGroup[];
  readonly width: number;
  readonly isLive: boolean;
}

/** Draws one metric of all groups. */
export function CurveChart({ name, metrics, groups, width, isLive }: CurveChartProps): ReactNode {
  const { view } = useView();
  const { x = "step", smooth = 0, logX = false, logY = false, rank } = view;
  const palette = usePalette();
  const requests = useMemo(() => curveRequests(metrics, name, rank, width), [metrics, name, rank, width]);
  const { data, errors, isPending } = useComparedCurves(name, x, requests, isLive);
  const lines = useMemo(() => linesOf(data.flatMap((list) => list?.items ?? [])), [data]);
  const series = useMemo(
    () => seriesOf(lines, groups, smooth, (group) => lookOf(palette, group)),
    [lines, groups, smooth, palette],
  );
  const title = metricTitle(name);
  const failure = errors.find((error) => error !== null);
  return (
    <>
      {failure && <Notice title={`The points of ${title} could not be read`} error={failure} />}
      {isPending ? (
        <Skeleton height={CURVE_HEIGHT} />
      ) : series.length === 0 ? (
        <Text c="dimmed" size="sm">
          No run has {title} over this axis{rank === undefined ? "" : ` of rank ${rank.toString()}`}.
        </Text>
      ) : (
        <LineChart
          title={title}
          series={series}
          xLabel={axisTitle(x)}
          yLabel={name}
          isLogX={logX}
          isLogY={logY}
          linked={`compare ${x}`}
        />
      )}
    </>
  );
}
