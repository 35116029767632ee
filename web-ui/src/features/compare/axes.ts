import type { XAXisComponentOption, YAXisComponentOption } from "echarts";

import type { Palette } from "@/shared/chart/palette";
import { compact } from "@/shared/format";

type ValueAxis = XAXisComponentOption & YAXisComponentOption;

/** How far the names are from their axes, behind the figures. */
const GAPS = { x: 30, y: 44 };

/** What is kept free around the axes, for a legend above and for the names, which are cut off where figures are short. */
export const GRID = { left: GAPS.y + 4, right: 24, top: 40, bottom: GAPS.x + 2, containLabel: true };

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
