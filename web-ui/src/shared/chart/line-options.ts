import UPlot from "uplot";

import { compact, ticks } from "@/shared/format";

import { boundsOf } from "./metric-bounds";
import type { Palette } from "./palette";
import { logRangeOf, rangeOf, type Range } from "./ranges";
import type { Axes, Series } from "./series";

/** Joins the lines over all their positions, each with its band. */
export function joined(series: readonly Series[]): UPlot.AlignedData {
  const tables = series.map(({ x, y, band, hasGaps = false }) => {
    const bounds = band ? [band.low, band.high] : [];
    return [x, y, ...(hasGaps ? bounds.map((bound) => interrupted(bound, y)) : bounds)] as unknown as UPlot.AlignedData;
  });
  return tables.length === 0 ? [[]] : UPlot.join(tables);
}

/** Interrupts a bound of a band where its line has no value. */
function interrupted(bound: readonly number[], line: Series["y"]): readonly (number | null)[] {
  return bound.map((value, index) => (line[index] === null ? null : value));
}

/** Number of columns of a line in the joined table: its own and the bounds of its band. */
function width({ band }: Series): number {
  return band ? 3 : 1;
}

/**
 * Returns the line to which each column of the joined table belongs, first the positions; bands and raw values belong
 * to their line.
 */
export function owners(series: readonly Series[]): readonly string[] {
  return ["", ...series.flatMap((each) => Array<string>(width(each)).fill(each.rawOf ?? each.key))];
}

/** Returns the column of each line in the joined table, in order. */
export function columns(series: readonly Series[]): readonly number[] {
  let next = 1;
  return series.map((each) => {
    const own = next;
    next += width(each);
    return own;
  });
}

/** Returns the value of a line at a position, or its last value before it. */
export function valueAt(chart: UPlot, column: number, place: number): number | null {
  const values = chart.data[column] ?? [];
  for (let index = place; index >= 0; index--) {
    const value = values[index];
    if (value != null) {
      return value;
    }
  }
  return null;
}

export interface Look {
  readonly palette: Palette;
  readonly linked: string | undefined;
  readonly width: number;
  readonly height: number;
  readonly onCursor: (chart: UPlot) => void;
}

export function options(
  series: readonly Series[],
  axes: Axes,
  { palette, linked, width, height, onCursor }: Look,
): UPlot.Options {
  const lines: UPlot.Series[] = [{}];
  const bands: UPlot.Band[] = [];
  for (const { color, rawOf, isDashed, hasPoints, band, hasGaps = false } of series) {
    const isFaint = rawOf !== undefined;
    const spanGaps = !hasGaps;
    lines.push({
      stroke: isFaint ? `${color}40` : color,
      width: isFaint ? 1 : 1.75,
      spanGaps,
      points: hasPoints ? { show: true, size: 6, fill: color } : { show: isFaint ? false : isSinglePoint },
      ...(isDashed && { dash: [6, 4] }),
    });
    if (band) {
      const low = lines.length;
      const unseen = { stroke: "transparent", spanGaps, points: { show: false } };
      lines.push(unseen, unseen);
      bands.push({ series: [low + 1, low], fill: `${color}2e` });
    }
  }
  const axis = {
    stroke: palette.dimmed,
    grid: { stroke: palette.grid, width: 1 },
    ticks: { stroke: palette.grid, width: 1 },
  };
  return {
    width,
    height,
    series: lines,
    bands,
    legend: { show: false },
    cursor: {
      ...(linked !== undefined && { sync: { key: linked, setSeries: false } }),
      drag: { x: true, y: false },
      points: { size: 6 },
    },
    hooks: { setCursor: [onCursor], setData: [onCursor], setScale: [onCursor] },
    scales: { x: { time: false, distr: axes.isLogX ? 3 : 1 }, y: { distr: axes.isLogY ? 3 : 1, range: rangeUp(axes) } },
    axes: [
      { ...axis, label: axes.xLabel, labelSize: 20, size: 34, values: (_, values) => ticks(values) },
      { ...axis, label: axes.yLabel, labelSize: 20, size: roomFor, values: (_, values) => ticks(values) },
    ],
  };
}

/** Returns the range of the upward axis over the values in view. */
function rangeUp({ yLabel, isLogY }: Axes): UPlot.Scale.Range {
  const bounds = boundsOf(yLabel);
  // uPlot has no least value before the first point, unlike its types.
  return (chart, low: number | null, high: number | null): Range & [number, number] => {
    const values = low === null || high === null ? [] : [low, high];
    const [from, to] = isLogY ? logRangeOf(values, bounds) : rangeOf(values, bounds, isZoomed(chart));
    return [from, to];
  };
}

/** Whether a part of the positions is in view. */
function isZoomed({ data: [places], series: [along] }: UPlot): boolean {
  return along?.min !== undefined && (along.min !== places[0] || along.max !== places.at(-1));
}

const LETTER = 7;

/** Width of an axis in pixels, so that its label does not overlap the longest value. */
function roomFor(_: UPlot, values: readonly string[] | null): number {
  const longest = Math.max(...(values ?? []).map((value) => value.length), 4);
  return 24 + LETTER * longest;
}

/** Whether a line has a single point, which must be drawn as a point. */
function isSinglePoint(chart: UPlot, line: number): boolean {
  let points = 0;
  for (const value of chart.data[line] ?? []) {
    if (value != null && ++points > 1) {
      return false;
    }
  }
  return true;
}

/** Returns the position at the cursor, or the last one if there is no cursor. */
export function placeOf({ cursor, data }: UPlot): number {
  return cursor.idx ?? data[0].length - 1;
}

/** Formats a position with the label of its axis. */
export function placeText(chart: UPlot, { xLabel }: Axes): string {
  return `${xLabel} ${compact(chart.data[0][placeOf(chart)])}`;
}
