import { ticks } from "@/shared/format";

import type { Bounds } from "./metric-bounds";

/** The lower and the upper end of an axis. */
export type Range = readonly [number, number];

/** Space beyond the values, as a fraction of their span. */
const PADDING = 0.05;

/** Space around a single value, as a fraction of it. */
const AROUND_ONE = 0.1;

/** Relative span of values below which an axis begins at 0: a difference of 0.003 % must not look large. */
const SMALL_SPAN = 0.01;

/** The usual number of distances between the ticks of an axis. */
const TICKS = 6;

/**
 * Returns the range of an axis over values, never beyond their bounds.
 *
 * @param isZoomed whether the user has chosen these values, so that a small span is drawn large
 */
export function rangeOf(values: readonly number[], { least, greatest }: Bounds, isZoomed = false): Range {
  const [low, high] = extent(values);
  if (low > high || isAllZero(values)) {
    return [Math.max(least ?? 0, 0), greatest ?? 1];
  }
  const size = Math.max(Math.abs(low), Math.abs(high));
  const range: Range =
    low === high
      ? [low - AROUND_ONE * size, high + AROUND_ONE * size]
      : padded(high - low < SMALL_SPAN * size && !isZoomed ? [Math.min(low, 0), Math.max(high, 0)] : [low, high]);
  return within(range, { least: below(low, least), greatest: above(high, greatest) });
}

/** Returns the range of a logarithmic axis: the powers of ten around the values that are positive. */
export function logRangeOf(values: readonly number[], { greatest }: Bounds): Range {
  const [low, high] = extent(values.filter((value) => value > 0));
  if (low > high) {
    return [0.1, greatest ?? 1];
  }
  const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  if (from < to) {
    return [10 ** from, 10 ** to];
  }
  return high === greatest ? [10 ** (from - 1), high] : [10 ** from, 10 ** (to + 1)];
}

/** Returns the label of an axis, which says so if all values are 0. */
export function labelOver(label: string, values: readonly number[]): string {
  return isAllZero(values) ? `${label}, all 0` : label;
}

/** Returns the distance of the ticks of an axis: 1, 2 or 5 times a power of ten. */
export function tickStep([low, high]: Range): number {
  const rough = (high - low) / TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough;
}

/** Widens a range to whole ticks, within the bounds. */
export function toTicks([low, high]: Range, bounds: Bounds): Range {
  const step = tickStep([low, high]);
  return within([Math.floor(low / step) * step, Math.ceil(high / step) * step], bounds);
}

/** Formats a tick of an axis, with as many digits as tell it from its neighbor. */
export function tickText(tick: number, range: Range): string {
  return ticks([tick, tick + tickStep(range)])[0] ?? "";
}

function isAllZero(values: readonly number[]): boolean {
  return values.length > 0 && values.every((value) => value === 0);
}

function extent(values: readonly number[]): Range {
  return values.reduce<Range>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  );
}

function padded([low, high]: Range): Range {
  const space = PADDING * (high - low);
  return [low === 0 ? 0 : low - space, high === 0 ? 0 : high + space];
}

function within([low, high]: Range, { least, greatest }: Bounds): Range {
  return [Math.max(low, least ?? low), Math.min(high, greatest ?? high)];
}

/** A value beyond its bound must be visible all the same. */
function below(low: number, least: number | undefined): number | undefined {
  return least !== undefined && low < least ? undefined : least;
}

function above(high: number, greatest: number | undefined): number | undefined {
  return greatest !== undefined && high > greatest ? undefined : greatest;
}
