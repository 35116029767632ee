import { Text } from "@mantine/core";
import type { EChartsOption } from "echarts";
import { useCallback, useMemo, type ReactNode } from "react";

import { Chart } from "@/shared/chart/chart";
import { seriesColor, type Palette } from "@/shared/chart/palette";
import { compact } from "@/shared/format";
import { Section } from "@/shared/section";

import { figureAxis, GRID } from "./axes";
import { front, type Wanted } from "./pareto";
import type { RunGroup } from "./subjects";
import type { Figures, RunTrade } from "./trades";
import { useView } from "./use-view";

export const TRADE_OFF_HEIGHT = 360;

const SMALL = 9;
const LARGE = 15;

/** A figure along an axis. */
export interface TradeOffAxis {
  readonly figure: keyof Figures;
  readonly label: string;
  readonly wanted: Wanted;
}

interface TradeOffChartProps {
  readonly title: string;
  readonly trades: readonly RunTrade[];
  readonly groups: readonly RunGroup[];
  readonly x: TradeOffAxis;
  readonly y: TradeOffAxis;
  /** Shown if no run has both figures. */
  readonly empty: string;
}

/** Draws the runs between two figures; points of the Pareto front are large and joined. */
export function TradeOffChart({ title, trades, groups, x, y, empty }: TradeOffChartProps): ReactNode {
  const { view } = useView();
  const { logX = false, logY = false } = view;
  const best = useMemo(() => front(trades, x.wanted, y.wanted), [trades, x.wanted, y.wanted]);
  const option = useCallback(
    (palette: Palette): EChartsOption => ({
      grid: GRID,
      legend: { type: "scroll", top: 0, textStyle: { color: palette.text } },
      // Names come from users and must not be interpreted as markup.
      tooltip: { trigger: "item", renderMode: "richText" },
      xAxis: figureAxis(palette, { ...x, values: trades.map((trade) => trade.x), isLog: logX }, "x"),
      yAxis: figureAxis(palette, { ...y, values: trades.map((trade) => trade.y), isLog: logY }, "y"),
      series: [
        ...groups.flatMap(({ label }, index) => {
          const own = trades.filter(({ group }) => group === index);
          return own.length === 0
            ? []
            : [
                {
                  type: "scatter" as const,
                  name: label,
                  itemStyle: { color: seriesColor(palette, index) },
                  data: own.map((trade) => ({
                    name: trade.name,
                    value: [trade.x, trade.y],
                    symbolSize: best.includes(trade) ? LARGE : SMALL,
                    tooltip: {
                      formatter: () =>
                        `${trade.name}\n${x.label}: ${compact(trade.x)}\n${y.label}: ${compact(trade.y)}`,
                    },
                  })),
                },
              ];
        }),
        {
          type: "line",
          name: "Pareto front",
          symbol: "none",
          silent: true,
          color: palette.text,
          lineStyle: { color: palette.text, type: "dashed", width: 1 },
          data: best.map((trade) => [trade.x, trade.y]),
        },
      ],
    }),
    [trades, groups, best, x, y, logX, logY],
  );
  if (trades.length === 0) {
    return (
      <Section title={title}>
        <Text size="sm" c="dimmed" px="md" pb="md">
          {empty}
        </Text>
      </Section>
    );
  }
  return (
    <Chart
      title={title}
      spoken={`On the Pareto front: ${best.map((trade) => `${trade.name}, ${compact(trade.x)} and ${compact(trade.y)}`).join("; ")}`}
      option={option}
      height={TRADE_OFF_HEIGHT}
      table={() => [
        ["run", "group", x.label, y.label, "on the Pareto front"],
        ...trades.map((trade) => [trade.name, groups[trade.group]?.label, trade.x, trade.y, best.includes(trade)]),
      ]}
    />
  );
}
