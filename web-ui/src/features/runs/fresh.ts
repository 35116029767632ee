import type { RunState, RunSummary } from "@/api/schemas";

import { compareRuns, type Sort } from "./run-order";

/** Runs as they were read, page by page. */
export interface Listed {
  readonly rows: readonly RunSummary[];
  readonly sort: Sort;
  /** Whether there are more runs after the last. */
  readonly hasMore: boolean;
}

export interface Fresh {
  /** The listed runs in their order, in their current state. */
  readonly rows: readonly RunSummary[];
  /** The number of runs that are new, or in a chosen state, since the list was read. */
  readonly newcomers: number;
}

/**
 * Updates listed runs to their current state. Unchanged runs keep their objects, so that their rows do not render
 * again.
 *
 * @param latest runs that were read since; the last state of a run counts
 * @param states chosen states; undefined for all
 */
export function fresh(
  { rows, sort, hasMore }: Listed,
  latest: readonly RunSummary[],
  states: readonly RunState[] | undefined,
): Fresh {
  const now = new Map(latest.map((run) => [run.id, run]));
  const known = new Set(rows.map(({ id }) => id));
  const end = hasMore ? rows.at(-1) : undefined;
  const newcomers = [...now.values()].filter(
    (run) =>
      !known.has(run.id) &&
      (states === undefined || states.includes(run.state)) &&
      // A run after the end of an incomplete list is not new.
      (end === undefined || compareRuns(run, end, sort) < 0),
  ).length;
  return { rows: rows.map((run) => newer(run, now.get(run.id))), newcomers };
}

/** Returns the newer state; a run that was listed as ended does not start again. */
function newer(listed: RunSummary, latest: RunSummary | undefined): RunSummary {
  return latest === undefined || listed.endedAt !== null ? listed : latest;
}
