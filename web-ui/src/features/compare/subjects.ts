import type { RunState, Schemas } from "@/api/schemas";
import { NONE } from "@/shared/format";

import { labelOf, type Fields } from "./fields";
import { grouped } from "./grouped";

/** A compared run. */
export interface Subject {
  readonly id: string;
  /** Unique among the compared runs. */
  readonly name: string;
  readonly state: RunState;
  readonly replicas: number;
  /** The fields in which the compared runs differ. */
  readonly fields: Fields;
}

/** A compared run with its seed group. */
export interface GroupedSubject extends Subject {
  /** Label of the group. */
  readonly label: string;
  /** Number of the group. */
  readonly group: number;
}

/** Runs that are drawn as one line. */
export interface RunGroup {
  readonly key: string;
  readonly label: string;
  readonly runs: readonly string[];
}

/** Value in the address for seed groups. */
export const EQUAL = "equal";

/** Value in the address for each run by itself. */
export const EACH = "each";

export function subjectsOf({ items, differences }: Schemas["ComparedSubjects"]): readonly GroupedSubject[] {
  return items.map(({ run, name, label, group, state, replicas }, index) => ({
    id: run,
    name,
    label,
    group,
    state,
    replicas,
    fields: new Map(
      differences.flatMap(({ path, values }) => {
        const value = values[index];
        return value == null ? [] : [[path, value] as const];
      }),
    ),
  }));
}

/** Groups runs by their seed groups, as soon as one has two runs, unless the address says otherwise. */
export function groupingOf(by: string | undefined, subjects: readonly GroupedSubject[]): string {
  const isRepeated = new Set(subjects.map(({ group }) => group)).size < subjects.length;
  return by ?? (isRepeated ? EQUAL : EACH);
}

/** Groups runs: each by itself, by seed groups, or by the values of one field. */
export function groupsOf(by: string, subjects: readonly GroupedSubject[]): readonly RunGroup[] {
  if (by === EACH) {
    return subjects.map(({ id, name }) => ({ key: id, label: name, runs: [id] }));
  }
  if (by === EQUAL) {
    return [...grouped(subjects, ({ group }) => group)].map(([group, members]) => ({
      key: group.toString(),
      label: members[0]?.label ?? "",
      runs: members.map(({ id }) => id),
    }));
  }
  const byValue = grouped(subjects, ({ fields }) => fields.get(by) ?? NONE);
  return [...byValue.values()].map((members) => {
    const label = labelOf(members[0]?.fields ?? new Map<string, string>(), [by]);
    return { key: label, label, runs: members.map(({ id }) => id) };
  });
}
