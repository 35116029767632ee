import type { Schemas } from "@/api/schemas";

import type { XAxis } from "./run-search";

/** The most points of a curve that are kept; a chart draws fewer. */
export const MAX_POINTS = 1_000;

export interface LivePoint {
  /** Rounds since the beginning of the run. */
  readonly step: number;
  /** Training time of the rank. */
  readonly seconds: number;
  readonly value: number;
}

/** Points that the stream of a run has brought, by {@link curveKey}, in the order of their steps. */
export type LivePoints = ReadonlyMap<string, readonly LivePoint[]>;

export function curveKey(name: string, rank: number): string {
  return `${rank.toString()} ${name}`;
}

/** Appends the points of an event that follow the known ones. */
export function withPoints(known: LivePoints, event: Schemas["RunEvent.Metrics"]): LivePoints {
  const key = curveKey(event.name, event.rank);
  const before = known.get(key) ?? [];
  const last = before.at(-1)?.step ?? -1;
  const added = event.steps.flatMap((step, at) => {
    const seconds = event.seconds[at];
    const value = event.values[at];
    return step <= last || seconds === undefined || value === undefined ? [] : [{ step, seconds, value }];
  });
  return new Map(known).set(key, thinned([...before, ...added]));
}

/** Keeps every second point if there are too many, and the last one. */
function thinned(points: readonly LivePoint[]): readonly LivePoint[] {
  return points.length <= MAX_POINTS ? points : points.filter((_, at) => (points.length - 1 - at) % 2 === 0);
}

/** Whether the position of a new point on the axis is known before the end of its epoch. */
export function isStreamed(x: XAxis): boolean {
  return x === "step" || x === "epoch" || x === "seconds";
}

interface Line {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/**
 * Returns the line of a curve that was read, continued by the streamed points behind its end.
 *
 * @param rounds rounds of an epoch
 */
export function lineOf(
  buckets: readonly Pick<Schemas["Bucket"], "last" | "lastX">[],
  points: readonly LivePoint[],
  axis: XAxis,
  rounds: number,
): Line {
  const end = buckets.at(-1)?.lastX ?? -Infinity;
  const added = isStreamed(axis)
    ? points.map((point) => ({ x: position(point, axis, rounds), y: point.value })).filter(({ x }) => x > end)
    : [];
  return {
    x: [...buckets.map(({ lastX }) => lastX), ...added.map(({ x }) => x)],
    y: [...buckets.map(({ last }) => last), ...added.map(({ y }) => y)],
  };
}

function position({ step, seconds }: LivePoint, axis: XAxis, rounds: number): number {
  switch (axis) {
    case "step":
      return step;
    case "epoch":
      return step / rounds;
    case "seconds":
      return seconds;
    case "wall-clock":
    case "samples":
    case "bytes":
      return NaN;
  }
}
