import type { XAXisComponentOption, YAXisComponentOption } from "echarts";

import type { Palette } from "@/shared/chart/palette";
import { compact } from "@/shared/format";

type ValueAxis = XAXisComponentOption & YAXisComponentOption;

/** What is kept free around the axes, for their names and for a legend above. */
export const GRID = { left: 48, right: 24, top: 40, bottom: 32, containLabel: true };

/** How far the names are from their axes, behind the figures. */
const GAPS = { x: 30, y: 44 };

/** An axis of figures, with its name along it. */
export function valueAxis(palette: Palette, name: string, isLog: boolean, side: keyof typeof GAPS): ValueAxis {
  return {
    type: isLog ? "log" : "value",
    name,
    nameLocation: "middle",
    nameGap: GAPS[side],
    scale: true,
    nameTextStyle: { color: palette.text },
    axisLabel: { color: palette.dimmed, formatter: (value: number) => compact(value) },
    axisLine: { lineStyle: { color: palette.dimmed } },
    splitLine: { lineStyle: { color: palette.grid } },
  };
}
