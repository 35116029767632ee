import type { XAXisComponentOption, YAXisComponentOption } from "echarts";

import { boundsOf } from "@/shared/chart/metric-bounds";
import type { Palette } from "@/shared/chart/palette";
import { labelOver, logRangeOf, rangeOf, tickStep, tickText, toTicks, type Range } from "@/shared/chart/ranges";
import { compact } from "@/shared/format";

type ValueAxis = XAXisComponentOption & YAXisComponentOption;

/** Distance of the names from their axes, in pixels; labels are in between. */
const GAPS = { x: 30, y: 44 };

/** Space around the axes, in pixels: for a legend above and for the names, which are cut off beside short labels. */
export const GRID = { left: GAPS.y + 4, right: 24, top: 40, bottom: GAPS.x + 2, containLabel: true };

/** The ends of an axis and the texts of its ticks. */
export interface Ends {
  readonly type: "value" | "log";
  readonly min: number;
  readonly max: number;
  readonly interval?: number;
  readonly axisLabel: { readonly formatter: (value: number) => string };
}

/**
 * Returns the ends of an axis over the values of a figure.
 *
 * @param figure name of a metric or a figure, of which the bounds follow
 */
export function endsOf(figure: string, values: readonly number[], isLog = false): Ends {
  const bounds = boundsOf(figure);
  if (isLog) {
    const [min, max] = logRangeOf(values, bounds);
    return { type: "log", min, max, axisLabel: { formatter: compact } };
  }
  const range: Range = toTicks(rangeOf(values, bounds), bounds);
  const [min, max] = range;
  const formatter = (value: number): string => tickText(value, range);
  return { type: "value", min, max, interval: tickStep(range), axisLabel: { formatter } };
}

/** An axis over the values of a figure, with its name along it. */
export function figureAxis(
  palette: Palette,
  { figure, label, values, isLog = false }: Along,
  side: keyof typeof GAPS,
): ValueAxis {
  const { axisLabel, ...ends } = endsOf(figure, values, isLog);
  const axis = valueAxis(palette, labelOver(label, values), side);
  return { ...axis, ...ends, axisLabel: { color: palette.dimmed, ...axisLabel } } as ValueAxis;
}

interface Along {
  readonly figure: string;
  readonly label: string;
  readonly values: readonly number[];
  readonly isLog?: boolean;
}

/** An axis of numbers, with its name along it. */
export function valueAxis(palette: Palette, name: string, side: keyof typeof GAPS): ValueAxis {
  return {
    type: "value",
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
