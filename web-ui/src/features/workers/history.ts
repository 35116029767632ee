import type { Schemas, Worker } from "@/api/schemas";
import { percent, sentenceCase } from "@/shared/format";

import type { Span } from "./workers-search";

type Point = Schemas["HistoryPoint"];
type Interval = Schemas["StateInterval"];

interface SpanLook {
  readonly label: string;
  readonly seconds: number;
  readonly buckets: number;
  /** Unit of the axis, and its length in seconds. */
  readonly unit: string;
  readonly unitSeconds: number;
}

export const SPAN_LOOKS: Record<Span, SpanLook> = {
  hour: { label: "Last hour", seconds: 3_600, buckets: 60, unit: "minutes", unitSeconds: 60 },
  day: { label: "Last day", seconds: 86_400, buckets: 144, unit: "hours", unitSeconds: 3_600 },
  week: { label: "Last week", seconds: 7 * 86_400, buckets: 168, unit: "days", unitSeconds: 86_400 },
  month: { label: "Last 30 days", seconds: 30 * 86_400, buckets: 180, unit: "days", unitSeconds: 86_400 },
};

export interface HistoryLine {
  readonly x: readonly number[];
  readonly y: readonly (number | null)[];
  readonly band: { readonly low: readonly number[]; readonly high: readonly number[] };
}

/**
 * Returns a line of a history over the time before its end, which is 0. It breaks where buckets have no samples.
 * @param scale by which values are divided
 */
export function historyLine(points: readonly Point[], to: string, look: SpanLook, scale: number): HistoryLine {
  // Old samples are an hour apart, however short the buckets are.
  const gap = Math.max(3_700, (2.5 * look.seconds) / look.buckets) / look.unitSeconds;
  const placed = points.map((point) => ({
    ...point,
    x: (Date.parse(point.at) - Date.parse(to)) / 1000 / look.unitSeconds,
  }));
  const rows = placed.flatMap(({ x, mean, least, greatest }, index) => {
    const before = placed[index - 1];
    const row = { x, y: mean / scale, low: least / scale, high: greatest / scale };
    return before !== undefined && x - before.x > gap ? [{ ...row, x: (x + before.x) / 2, y: null }, row] : [row];
  });
  return {
    x: rows.map(({ x }) => x),
    y: rows.map(({ y }) => y),
    band: { low: rows.map(({ low }) => low), high: rows.map(({ high }) => high) },
  };
}

function intervalName({ state, cordon }: Interval): string {
  return cordon === "OPEN" ? sentenceCase(state) : `${sentenceCase(state)}, ${cordon.toLowerCase()}`;
}

export interface Segment {
  readonly key: string;
  readonly state: Worker["state"];
  readonly name: string;
  /** Place and length in the strip, in percent. */
  readonly left: number;
  readonly width: number;
}

/** Returns the segments of the strip of states. */
export function segments({ from, to, states }: Schemas["WorkerHistory"]): readonly Segment[] {
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  return states.map((interval) => ({
    key: interval.from,
    state: interval.state,
    name: intervalName(interval),
    left: (100 * (Date.parse(interval.from) - begin)) / (end - begin),
    width: (100 * (Date.parse(interval.to) - Date.parse(interval.from))) / (end - begin),
  }));
}

/** Returns the part of the time in each state, such as "Idle 75 %, Busy 25 %", the longest first. */
export function stateShares(strip: readonly Segment[]): string {
  const widths = new Map<string, number>();
  for (const { name, width } of strip) {
    widths.set(name, (widths.get(name) ?? 0) + width);
  }
  return [...widths]
    .sort(([, one], [, other]) => other - one)
    .map(([name, width]) => `${name} ${percent(width / 100)}`)
    .join(", ");
}
