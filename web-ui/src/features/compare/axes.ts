import type { XAXisComponentOption, YAXisComponentOption } from "echarts";

import type { Palette } from "@/shared/chart/palette";
import { compact } from "@/shared/format";

type ValueAxis = XAXisComponentOption & YAXisComponentOption;

/** An axis of figures, with its name along it. */
export function valueAxis(palette: Palette, name: string, isLog: boolean): ValueAxis {
  return {
    type: isLog ? "log" : "value",
    name,
    nameLocation: "middle",
    nameMoveOverlap: false,
    scale: true,
    nameTextStyle: { color: palette.text },
    axisLabel: { color: palette.dimmed, formatter: (value: number) => compact(value) },
    axisLine: { lineStyle: { color: palette.dimmed } },
    splitLine: { lineStyle: { color: palette.grid } },
  };
}
