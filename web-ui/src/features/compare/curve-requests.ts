import type { Schemas } from "@/api/schemas";

/** As many runs as the service draws in one answer. */
export const MOST_RUNS = 20;

/** As many stretches as the service cuts a curve into. */
const MOST_BUCKETS = 2_000;

/** More stretches in one answer take too long to read; the service itself would tell five times as many. */
const MOST_STRETCHES = 20_000;

/** Widths are rounded up to it, so that a page that is a little wider asks for the same. */
const ROUND = 100;

export interface CurveRequest {
  readonly run: string[];
  readonly rank?: number[];
  readonly buckets: number;
}

type Known = Pick<Schemas["Metric"], "name" | "rank">;

/** What is asked for to draw a metric that wide: of the runs that have it, as many stretches as there are pixels. */
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
  return asMany(having, MOST_RUNS).map((part) => {
    const curves = part.reduce((sum, each) => sum + each.curves, 0);
    const wanted = Math.max(1, Math.ceil(width / ROUND)) * ROUND;
    return {
      run: part.map(({ run }) => run),
      ...(rank !== undefined && part.some(({ isOfRanks }) => isOfRanks) && { rank: [rank] }),
      buckets: Math.max(1, Math.min(wanted, MOST_BUCKETS, Math.floor(MOST_STRETCHES / curves))),
    };
  });
}

/** The same, in parts of so many. */
export function asMany<Item>(items: readonly Item[], most: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / most) }, (_, part) =>
    items.slice(part * most, (part + 1) * most),
  );
}

/** The metrics of all runs, those of ranks apart, in the order in which the service tells them. */
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
