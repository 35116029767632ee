import type { Schemas } from "@/api/schemas";

import type { RunGroup, Subject } from "./subjects";
import type { Trade } from "./pareto";

export type Figures = Schemas["ComparedFigures"];

/** A run as a point of the trade-off chart, at the values of two of its figures. */
export interface RunTrade extends Trade {
  readonly run: string;
  readonly name: string;
  /** Index of its group. */
  readonly group: number;
}

/** Returns the runs that have both figures. */
export function tradesOf(
  runs: readonly Pick<Schemas["ComparedRun"], "run" | "figures">[],
  subjects: readonly Subject[],
  groups: readonly RunGroup[],
  x: keyof Figures,
  y: keyof Figures,
): readonly RunTrade[] {
  return runs.flatMap(({ run, figures }) => {
    const [across, up] = [figures[x], figures[y]];
    const name = subjects.find(({ id }) => id === run)?.name;
    const group = groups.findIndex((each) => each.runs.includes(run));
    return across == null || up == null || name === undefined || group < 0
      ? []
      : [{ run, name, group, x: across, y: up }];
  });
}
