import type { Schemas } from "@/api/schemas";

/** The most runs in one response of the service. */
export const MAX_RUNS = 20;

/** The most buckets of a curve at the service. */
const MAX_BUCKETS = 2_000;

/** The most buckets in one response: more take too long to read; the service itself would return five times as many. */
const MAX_BUCKETS_IN_ALL = 20_000;

/** Widths are rounded up to a multiple of it, so that a slightly wider page sends the same request. */
const ROUND = 100;

export interface CurveRequest {
  readonly run: string[];
  readonly rank?: number[];
  readonly buckets: number;
}

type Known = Pick<Schemas["Metric"], "name" | "rank">;

/** Returns the requests for a metric at a width: for the runs that have it, with a bucket for each pixel. */
export function curveRequests(
  metrics: ReadonlyMap<string, readonly Known[]>,
  name: string,
  rank: number | undefined,
  width: number,
): readonly CurveRequest[] {
  const having = [...metrics].flatMap(([run, all]) => {
    const own = all.filter((metric) => metric.name === name);
    const isOfRanks = own.some((metric) => metric.rank !== null);
    const curves = isOfRanks && rank !== undefined ? own.filter((metric) => metric.rank === rank) : own;
    return curves.length === 0 ? [] : [{ run, isOfRanks, curves: curves.length }];
  });
  return asMany(having, MAX_RUNS).map((part) => {
    const curves = part.reduce((sum, each) => sum + each.curves, 0);
    const wanted = Math.max(1, Math.ceil(width / ROUND)) * ROUND;
    return {
      run: part.map(({ run }) => run),
      ...(rank !== undefined && part.some(({ isOfRanks }) => isOfRanks) && { rank: [rank] }),
      buckets: Math.max(1, Math.min(wanted, MAX_BUCKETS, Math.floor(MAX_BUCKETS_IN_ALL / curves))),
    };
  });
}

/** Splits items into parts of limited size. */
export function asMany<Item>(items: readonly Item[], most: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / most) }, (_, part) =>
    items.slice(part * most, (part + 1) * most),
  );
}

/**
 * Returns the names of the metrics of all runs, and which of them are metrics of ranks, in the order of the service.
 */
export function metricNames(metrics: ReadonlyMap<string, readonly Known[]>): {
  readonly all: readonly string[];
  readonly ofRanks: ReadonlySet<string>;
} {
  const known = [...metrics.values()].flat();
  return {
    all: [...new Set(known.map(({ name }) => name))],
    ofRanks: new Set(known.flatMap(({ name, rank }) => (rank === null ? [] : [name]))),
  };
}

export function ranksOf(metrics: ReadonlyMap<string, readonly Known[]>): readonly number[] {
  return [...new Set([...metrics.values()].flat().flatMap(({ rank }) => rank ?? []))].sort((a, b) => a - b);
}
