import type { Schemas } from "@/api/schemas";
import { smoothed, type Series } from "@/shared/chart/series";

import { grouped } from "./grouped";
import type { RunGroup } from "./subjects";

export interface Line {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

interface Mean extends Line {
  /** From the least to the greatest line; unlike an interval of the mean, it needs no assumption. */
  readonly band: { readonly low: readonly number[]; readonly high: readonly number[] };
}

type Curve = Pick<Schemas["MetricCurve"], "run" | "buckets">;

/** The most points of a line: more than the pixels of a chart show nothing more. */
const MAX_POINTS = 1_000;

/** Returns the line of each run: the mean over its ranks. */
export function linesOf(curves: readonly Curve[]): ReadonlyMap<string, Line> {
  const lines = new Map<string, Line>();
  for (const [run, own] of grouped(curves, ({ run: id }) => id)) {
    const line = meanOf(
      own.map(({ buckets }) => ({ x: buckets.map(({ lastX }) => lastX), y: buckets.map(({ last }) => last) })),
    );
    if (line.x.length > 0) {
      lines.set(run, line);
    }
  }
  return lines;
}

/**
 * Returns the mean of lines with its band, over their common range, because a mean beyond it would be over other runs.
 * Lines are interpolated linearly.
 */
export function meanOf(lines: readonly Line[]): Mean {
  const [only] = lines;
  if (only !== undefined && lines.length === 1) {
    return { ...only, band: { low: only.y, high: only.y } };
  }
  const x = commonPlaces(lines);
  const columns = lines.map((line) => valuesAt(line, x));
  const values = x.map((_, index) => columns.map((column) => column[index] ?? 0));
  return {
    x,
    y: values.map((all) => all.reduce((sum, value) => sum + value, 0) / all.length),
    band: { low: values.map((all) => Math.min(...all)), high: values.map((all) => Math.max(...all)) },
  };
}

function commonPlaces(lines: readonly Line[]): readonly number[] {
  const first = Math.max(...lines.map(({ x }) => x[0] ?? Infinity));
  const last = Math.min(...lines.map(({ x }) => x.at(-1) ?? -Infinity));
  const all = [...new Set(lines.flatMap(({ x }) => x.filter((place) => place >= first && place <= last)))].sort(
    (a, b) => a - b,
  );
  const step = Math.ceil(all.length / MAX_POINTS);
  return step <= 1 ? all : all.filter((_, index) => index % step === 0 || index === all.length - 1);
}

/** Interpolates a line at increasing positions between its ends. */
function valuesAt({ x, y }: Line, places: readonly number[]): readonly number[] {
  let index = 0;
  return places.map((place) => {
    while (index + 1 < x.length && (x[index + 1] ?? Infinity) <= place) {
      index++;
    }
    const [from, to] = [x[index] ?? place, x[index + 1] ?? place];
    const [before, after] = [y[index] ?? 0, y[index + 1] ?? y[index] ?? 0];
    return to > from ? before + ((place - from) / (to - from)) * (after - before) : before;
  });
}

/**
 * Returns the series of a chart: a line for each group that has one, with its raw values behind it if it is smoothed.
 */
export function seriesOf(
  lines: ReadonlyMap<string, Line>,
  groups: readonly RunGroup[],
  smooth: number,
  look: (group: number) => Pick<Series, "color" | "isDashed">,
): readonly Series[] {
  return groups.flatMap(({ key, label, runs }, index) => {
    const own = runs.flatMap((run) => lines.get(run) ?? []);
    if (own.length === 0) {
      return [];
    }
    const { band, ...line } = meanOf(own.map((each) => smoothedLine(each, smooth)));
    const drawn: Series = { key, label, ...look(index), ...line, ...(own.length > 1 && { band }) };
    if (smooth === 0) {
      return [drawn];
    }
    const { x, y } = meanOf(own);
    return [{ key: `${key} raw`, label: `${label}, raw`, ...look(index), x, y, rawOf: key }, drawn];
  });
}

function smoothedLine({ x, y }: Line, weight: number): Line {
  return { x, y: smoothed(y, weight).map((value, index) => value ?? y[index] ?? 0) };
}
