import type { EChartsOption } from "echarts";
import { useCallback, useMemo, type ReactNode } from "react";

import { Chart } from "@/shared/chart/chart";
import type { Palette } from "@/shared/chart/palette";
import { NONE, compact } from "@/shared/format";

import { cells, figureOf, type Cell, type Pair } from "./links";
import type { LinkFigure } from "./workers-search";

/** The most workers with readable numbers in the cells. */
const READABLE = 12;

interface LinkMatrixProps {
  readonly workers: readonly { readonly id: string; readonly name: string }[];
  readonly all: readonly Pair[];
  readonly figure: LinkFigure;
}

/** A matrix of the links between workers; the table of pairs has the same figures for screen readers. */
export function LinkMatrix({ workers, all, figure }: LinkMatrixProps): ReactNode {
  const found = useMemo(() => cells(workers, all, figure), [workers, all, figure]);
  const option = useCallback(
    (palette: Palette) =>
      matrix(
        workers.map(({ name }) => name),
        found,
        palette,
      ),
    [workers, found],
  );
  return (
    <Chart
      title={figure === "latency" ? "Latency, microseconds" : "Bandwidth, megabytes per second"}
      spoken="The table of pairs lists the figures."
      option={option}
      height={140 + Math.max(120, 28 * workers.length)}
      table={() => [
        ["one", "other", "latency_us", "megabytes_per_second", "measured_at"],
        ...all.map(({ one, other, link }) => [
          one.name,
          other.name,
          link && figureOf(link, "latency"),
          link && figureOf(link, "bandwidth"),
          link?.measuredAt,
        ]),
      ]}
    />
  );
}

function matrix(names: readonly string[], found: readonly Cell[], palette: Palette): EChartsOption {
  const values = found.flatMap(({ value }) => (value === null ? [] : [value]));
  const axis = {
    type: "category" as const,
    data: [...names],
    axisLabel: { color: palette.dimmed },
    axisTick: { show: false },
  };
  return {
    grid: { left: 8, right: 16, top: 16, bottom: 60, containLabel: true },
    tooltip: {},
    xAxis: { ...axis, axisLabel: { ...axis.axisLabel, rotate: names.length > 8 ? 60 : 0 } },
    yAxis: { ...axis, inverse: true },
    visualMap: {
      // The heat map has the measured pairs; pairs without a figure show a placeholder.
      min: Math.min(...values, Infinity) === Infinity ? 0 : Math.min(...values),
      max: values.length === 0 ? 1 : Math.max(...values),
      calculable: true,
      orient: "horizontal",
      left: "center",
      bottom: 0,
      seriesIndex: 0,
      textStyle: { color: palette.dimmed },
      formatter: (value) => compact(Number(value)),
      inRange: { color: [palette.grid, palette.series[0] ?? palette.text] },
    },
    series: [
      {
        type: "heatmap",
        name: "measured",
        data: found.flatMap(({ column, row, value }) => (value === null ? [] : [[column, row, value]])),
        itemStyle: { borderColor: palette.surface, borderWidth: 1 },
        label: {
          show: names.length <= READABLE,
          formatter: ({ value }) => compact((value as number[])[2]),
          color: palette.text,
          textBorderColor: palette.surface,
          textBorderWidth: 3,
        },
        tooltip: { valueFormatter: (value) => compact(Number(value)) },
      },
      {
        type: "scatter",
        name: "not measured",
        symbolSize: 1,
        data: found.flatMap(({ column, row, value }) => (value === null ? [[column, row]] : [])),
        label: { show: true, formatter: NONE, color: palette.dimmed },
      },
    ],
  };
}
