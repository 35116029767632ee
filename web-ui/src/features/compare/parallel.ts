import type { Schemas } from "@/api/schemas";
import { NONE } from "@/shared/format";

import type { Intervals } from "./compare-search";
import type { Compared } from "./compared";
import { differing } from "./fields";
import type { Subject } from "./subjects";

type Figures = Schemas["ComparedFigures"];

/** The outcomes that are shown by default, behind the compared accuracy. */
const DEFAULT_OUTCOMES: readonly (keyof Figures)[] = ["trainingSeconds", "bytesSent"];

/** The accuracy by which the definition compares. */
const COMPARED: Record<Schemas["Comparison"]["compared"], keyof Figures> = {
  mean: "finalAccuracy",
  replicas: "replicaAccuracy",
};

/** Field that repeats a run. */
const SEED = "seed";

/** The most settings by default; the address may name others. */
const MAX_SETTINGS = 7;

/**
 * The most numbers of a setting whose axis has its values at equal distances; with more, the axis is one of numbers.
 */
const MAX_VALUES = 8;

export interface ParallelAxis {
  readonly name: string;
  /** The values in the order of the axis; undefined for an axis of numbers. */
  readonly values: readonly string[] | undefined;
}

export interface Parallel {
  readonly axes: readonly ParallelAxis[];
  /** A row for each run, with a position on each axis; null if it has none. */
  readonly rows: readonly { readonly run: string; readonly places: readonly (string | number | null)[] }[];
}

type Outcome = Pick<Schemas["ComparedRun"], "run" | "figures">;

/** Returns the possible axes: the settings that differ, and the outcomes of some run. */
export function axesOf(
  subjects: readonly Subject[],
  runs: readonly Outcome[],
): { readonly settings: readonly string[]; readonly outcomes: readonly string[] } {
  const outcomes = new Set(
    runs.flatMap(({ figures }) => Object.entries(figures).flatMap(([name, value]) => (value === null ? [] : [name]))),
  );
  return { settings: differing(subjects.map(({ fields }) => fields)), outcomes: [...outcomes] };
}

/** Returns the first axes: the settings that definitions write, without the seed, and the usual outcomes. */
export function defaultAxes(
  { settings, outcomes }: ReturnType<typeof axesOf>,
  differences: Compared["differences"],
  compared: Schemas["Comparison"]["compared"],
): readonly string[] {
  const chosen = new Set(differences.filter(({ written }) => written).map(({ path }) => path));
  const swept = settings.filter((path) => path !== SEED && chosen.has(path));
  const wanted = [COMPARED[compared], ...DEFAULT_OUTCOMES];
  return [...swept.slice(0, MAX_SETTINGS), ...wanted.filter((name) => outcomes.includes(name))];
}

/** Returns the runs over the axes of these names, as far as they exist. */
export function parallelOf(subjects: readonly Subject[], runs: readonly Outcome[], names: readonly string[]): Parallel {
  const { settings, outcomes } = axesOf(subjects, runs);
  const figures = new Map(runs.map((compared) => [compared.run, new Map(Object.entries(compared.figures))]));
  const columns = names.flatMap((name) => {
    if (settings.includes(name)) {
      return [setting(name, subjects)];
    }
    return outcomes.includes(name)
      ? [{ axis: { name, values: undefined }, places: subjects.map(({ id }) => figures.get(id)?.get(name) ?? null) }]
      : [];
  });
  return {
    axes: columns.map(({ axis }) => axis),
    rows: subjects.map(({ id }, index) => ({ run: id, places: columns.map(({ places }) => places[index] ?? null) })),
  };
}

/** Returns the runs with some outcome; others have no line before their first epoch ends. */
export function withOutcome(subjects: readonly Subject[], runs: readonly Outcome[]): readonly Subject[] {
  const known = new Set(
    runs.filter(({ figures }) => Object.values(figures).some((value) => value !== null)).map(({ run }) => run),
  );
  return subjects.filter(({ id }) => known.has(id));
}

/** Returns the values of the runs along an axis of numbers. */
export function numbersAlong({ axes, rows }: Parallel, axis: ParallelAxis): readonly number[] {
  const index = axes.indexOf(axis);
  return rows.flatMap(({ places }) => {
    const place = places[index];
    return typeof place === "number" ? [place] : [];
  });
}

/** Position along an axis; discrete values have distance 1. */
function along({ values }: ParallelAxis, place: string | number | null): number | null {
  return typeof place === "string" ? (values?.indexOf(place) ?? null) : place;
}

/** Extent of an axis; undefined if no run has a position on it. */
export function extentOf({ axes, rows }: Parallel, axis: ParallelAxis): readonly [number, number] | undefined {
  const index = axes.indexOf(axis);
  const found = rows.flatMap(({ places }) => along(axis, places[index] ?? null) ?? []);
  return found.length === 0 ? undefined : [Math.min(...found), Math.max(...found)];
}

/** Returns the runs inside all chosen ranges; a run without a position on an axis is outside of its range. */
export function through({ axes, rows }: Parallel, only: Intervals): ReadonlySet<string> {
  const wanted = axes.flatMap((axis, index) => {
    const interval = only[axis.name];
    return interval === undefined ? [] : [{ axis, index, interval }];
  });
  const passing = rows.filter(({ places }) =>
    wanted.every(({ axis, index, interval: [low, high] }) => {
      const at = along(axis, places[index] ?? null);
      return at !== null && at >= low && at <= high;
    }),
  );
  return new Set(passing.map(({ run }) => run));
}

interface Column {
  readonly axis: ParallelAxis;
  readonly places: readonly (string | number | null)[];
}

function setting(name: string, subjects: readonly Subject[]): Column {
  const texts = subjects.map(({ fields }) => fields.get(name));
  const distinct = [...new Set(texts)];
  const areNumbers = distinct.every((value) => value === undefined || isNumber(value));
  if (areNumbers && distinct.length > MAX_VALUES) {
    return {
      axis: { name, values: undefined },
      places: texts.map((value) => (value === undefined ? null : Number(value))),
    };
  }
  const known = distinct.filter((value) => value !== undefined);
  const sorted = areNumbers ? known.sort((a, b) => Number(a) - Number(b)) : known.sort();
  const values = distinct.includes(undefined) ? [NONE, ...sorted] : sorted;
  return { axis: { name, values }, places: texts.map((value) => value ?? NONE) };
}

function isNumber(text: string): boolean {
  return text !== "" && Number.isFinite(Number(text));
}
