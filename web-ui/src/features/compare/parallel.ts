import type { Schemas } from "@/api/schemas";
import { NONE } from "@/shared/format";

import type { Intervals } from "./compare-search";
import { differing } from "./fields";
import type { Subject } from "./subjects";

type Figures = Schemas["Figures"];

/** The outcomes that are shown unless the address says otherwise. */
const USUAL: readonly (keyof Figures)[] = ["finalAccuracy", "trainingSeconds", "bytesSent"];

/** More settings than these are not told apart; others are shown where the address names them. */
const MOST_SETTINGS = 7;

/** With more numbers than these a setting is an axis of numbers, else one of its values, each as far from the next. */
const MOST_VALUES = 8;

export interface ParallelAxis {
  readonly name: string;
  /** In the order in which they stand on the axis; undefined where it is of numbers. */
  readonly values: readonly string[] | undefined;
}

export interface Parallel {
  readonly axes: readonly ParallelAxis[];
  /** A row for each run, with a place on each axis; null where it has none. */
  readonly rows: readonly { readonly run: string; readonly places: readonly (string | number | null)[] }[];
}

type Told = Pick<Schemas["ComparedRun"], "run" | "figures">;

/** What may be an axis: the settings that differ, and the outcomes that some run has. */
export function axesOf(
  subjects: readonly Subject[],
  runs: readonly Told[],
): { readonly settings: readonly string[]; readonly outcomes: readonly string[] } {
  const outcomes = new Set(
    runs.flatMap(({ figures }) => Object.entries(figures).flatMap(([name, value]) => (value === null ? [] : [name]))),
  );
  return { settings: differing(subjects.map(({ fields }) => fields)), outcomes: [...outcomes] };
}

export function usualAxes({ settings, outcomes }: ReturnType<typeof axesOf>): readonly string[] {
  return [...settings.slice(0, MOST_SETTINGS), ...USUAL.filter((name) => outcomes.includes(name))];
}

/** The runs over the axes of these names, as far as they are there. */
export function parallelOf(subjects: readonly Subject[], runs: readonly Told[], names: readonly string[]): Parallel {
  const { settings, outcomes } = axesOf(subjects, runs);
  const figures = new Map(runs.map((told) => [told.run, new Map(Object.entries(told.figures))]));
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

/** Where a place stands along its axis; along values each counts as one. */
function along({ values }: ParallelAxis, place: string | number | null): number | null {
  return typeof place === "string" ? (values?.indexOf(place) ?? null) : place;
}

/** From where to where an axis goes; undefined where no run has a place on it. */
export function extentOf({ axes, rows }: Parallel, axis: ParallelAxis): readonly [number, number] | undefined {
  const index = axes.indexOf(axis);
  const found = rows.flatMap(({ places }) => along(axis, places[index] ?? null) ?? []);
  return found.length === 0 ? undefined : [Math.min(...found), Math.max(...found)];
}

/** The runs that go through all of the wanted stretches; without a place on an axis a run goes through none of it. */
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
  const told = subjects.map(({ fields }) => fields.get(name));
  const distinct = [...new Set(told)];
  const areNumbers = distinct.every((value) => value === undefined || isNumber(value));
  if (areNumbers && distinct.length > MOST_VALUES) {
    return {
      axis: { name, values: undefined },
      places: told.map((value) => (value === undefined ? null : Number(value))),
    };
  }
  const known = distinct.filter((value) => value !== undefined);
  const sorted = areNumbers ? known.sort((a, b) => Number(a) - Number(b)) : known.sort();
  const values = distinct.includes(undefined) ? [NONE, ...sorted] : sorted;
  return { axis: { name, values }, places: told.map((value) => value ?? NONE) };
}

function isNumber(text: string): boolean {
  return text !== "" && Number.isFinite(Number(text));
}
