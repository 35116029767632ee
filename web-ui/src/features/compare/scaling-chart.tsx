import type { EChartsOption } from "echarts";
import { useCallback, type ReactNode } from "react";

import { Chart } from "@/shared/chart/chart";
import { seriesColor, type Palette } from "@/shared/chart/palette";
import { compact } from "@/shared/format";

import { figureAxis, GRID, valueAxis } from "./axes";
import { grouped } from "./grouped";
import { scaled, type TimedPoint } from "./scaling";

export const SCALING_HEIGHT = 340;

interface ScalingChartProps {
  readonly title: string;
  readonly points: readonly TimedPoint[];
  readonly figure: "speedup" | "efficiency";
}

/** Draws each line with the interval or the values of its seeds, and the ideal line. */
export function ScalingChart({ title, points, figure }: ScalingChartProps): ReactNode {
  const option = useCallback(
    (palette: Palette): EChartsOption => {
      const replicas = [...new Set(points.map((point) => point.replicas))].sort((a, b) => a - b);
      const ideal = replicas.map((count) => (figure === "speedup" ? count : 1));
      const drawn = points.flatMap((point) => valuesOf(scaled(point, figure)));
      const lines = [...grouped(points, ({ line }) => line)];
      return {
        grid: GRID,
        legend: { type: "scroll", top: 0, textStyle: { color: palette.text } },
        // Names come from users and must not be interpreted as markup.
        tooltip: {
          trigger: "axis",
          renderMode: "richText",
          valueFormatter: (value) => compact(value as number | null),
        },
        xAxis: { ...valueAxis(palette, "replicas", "x"), minInterval: 1 },
        yAxis: figureAxis(palette, { figure, label: figure, values: [0, ...drawn, ...ideal] }, "y"),
        series: [
          ...lines.flatMap(([name, own], index) => {
            const color = seriesColor(palette, index);
            return [
              {
                type: "line" as const,
                name,
                color,
                symbolSize: 8,
                data: own.map((point) => [point.replicas, scaled(point, figure).mean]),
              },
              // Intervals, as strokes from low to high.
              ...own
                .map((point) => ({ replicas: point.replicas, ...scaled(point, figure) }))
                .filter(({ low, high }) => low !== null && high !== null)
                .map((point) => ({
                  type: "line" as const,
                  name,
                  color,
                  symbol: "none",
                  silent: true,
                  tooltip: { show: false },
                  lineStyle: { color, width: 5, opacity: 0.3 },
                  data: [point.low, point.high].map((end) => [point.replicas, end]),
                })),
              {
                type: "scatter" as const,
                name,
                color,
                silent: true,
                symbolSize: 5,
                tooltip: { show: false },
                // Few seeds show themselves.
                data: own.flatMap((point) => {
                  const { interval, points: seeds } = scaled(point, figure);
                  return interval === "range" ? seeds.map((value) => [point.replicas, value]) : [];
                }),
              },
            ];
          }),
          {
            type: "line",
            name: "ideal",
            symbol: "none",
            color: palette.dimmed,
            lineStyle: { color: palette.dimmed, type: "dashed", width: 1 },
            data: replicas.map((count, index) => [count, ideal[index]]),
          },
        ],
      };
    },
    [points, figure],
  );
  return (
    <Chart
      title={title}
      spoken={points
        .map((point) => `${point.line}, ${point.replicas.toString()} replicas: ${compact(scaled(point, figure).mean)}`)
        .join("; ")}
      option={option}
      height={SCALING_HEIGHT}
      table={() => [
        ["line", "replicas", "runs", "seconds", figure, "low", "high"],
        ...points.map((point) => {
          const { mean, low, high } = scaled(point, figure);
          return [point.line, point.replicas, point.seconds.count, point.seconds.mean, mean, low, high];
        }),
      ]}
    />
  );
}

/** Returns all values that are drawn of a point. */
function valuesOf({ mean, low, high, points }: ReturnType<typeof scaled>): readonly number[] {
  return [mean, ...[low, high].filter((end) => end !== null), ...points];
}
