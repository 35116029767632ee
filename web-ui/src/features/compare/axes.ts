import type { XAXisComponentOption, YAXisComponentOption } from "echarts";

import type { Palette } from "@/shared/chart/palette";
import { compact } from "@/shared/format";

type ValueAxis = XAXisComponentOption & YAXisComponentOption;

/** Distance of the names from their axes, in pixels; labels are in between. */
const GAPS = { x: 30, y: 44 };

/** Space around the axes, in pixels: for a legend above and for the names, which are cut off beside short labels. */
export const GRID = { left: GAPS.y + 4, right: 24, top: 40, bottom: GAPS.x + 2, containLabel: true };

/** An axis of numbers, with its name along it. */
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
