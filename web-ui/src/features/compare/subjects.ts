import type { Run, RunState, Schemas } from "@/api/schemas";
import { NONE } from "@/shared/format";
import { runName } from "@/shared/run/run-name";

import { fieldsOf, labelOf, type Fields } from "./fields";
import { grouped } from "./grouped";

/** A compared run. */
export interface Subject {
  readonly id: string;
  /** Unique among the compared runs. */
  readonly name: string;
  readonly state: RunState;
  readonly replicas: number;
  readonly fields: Fields;
}

/** Runs that are drawn as one line. */
export interface RunGroup {
  readonly key: string;
  readonly label: string;
  readonly runs: readonly string[];
}

/** Value in the address for seed groups. */
export const EQUAL = "equal";

type NamedRun = Pick<Run, "id" | "experimentName" | "position" | "state" | "configuration">;

export function subjectsOf(runs: readonly NamedRun[]): readonly Subject[] {
  const taken = new Map<string, number>();
  return runs.map((run) => {
    const { id, state, configuration } = run;
    const name = runName(run);
    const before = taken.get(name) ?? 0;
    taken.set(name, before + 1);
    return {
      id,
      name: before === 0 ? name : `${name} (${(before + 1).toString()})`,
      state,
      replicas: configuration.workers.replicas,
      fields: fieldsOf(configuration),
    };
  });
}

/** Groups runs: each by itself by default, by the seed groups of the service, or by the values of one field. */
export function groupsOf(
  by: string | undefined,
  subjects: readonly Subject[],
  groups: readonly Pick<Schemas["ComparedGroup"], "label" | "runs">[],
): readonly RunGroup[] {
  if (by === undefined) {
    return subjects.map(({ id, name }) => ({ key: id, label: name, runs: [id] }));
  }
  if (by === EQUAL) {
    return groups.map(({ label, runs }, index) => ({ key: index.toString(), label, runs }));
  }
  const byValue = grouped(subjects, ({ fields }) => fields.get(by) ?? NONE);
  return [...byValue.values()].map((members) => {
    const label = labelOf(members[0]?.fields ?? new Map<string, string>(), [by]);
    return { key: label, label, runs: members.map(({ id }) => id) };
  });
}
