import type { RunState, RunSummary } from "@/api/schemas";

import { compareRuns, type Sort } from "./run-order";

/** Runs as they were read, page by page. */
export interface Listed {
  readonly rows: readonly RunSummary[];
  readonly sort: Sort;
  /** Whether there are more of them behind the last. */
  readonly hasMore: boolean;
}

export interface Fresh {
  /** In the order in which they were listed, as they are now. */
  readonly rows: readonly RunSummary[];
  /** How many have come, or come into the wanted states, since the list was read. */
  readonly newcomers: number;
}

/**
 * What was listed, as it is now. What has not been read anew keeps its object, so that its row is not drawn again.
 *
 * @param latest what was read since; of the same run the last counts
 * @param states those that are wanted; undefined where all are
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
      // What lies behind the end of a list that was not read to its end has not come anew.
      (end === undefined || compareRuns(run, end, sort) < 0),
  ).length;
  return { rows: rows.map((run) => newer(run, now.get(run.id))), newcomers };
}

/** The last that was read; but what was listed as ended does not begin again. */
function newer(listed: RunSummary, latest: RunSummary | undefined): RunSummary {
  return latest === undefined || listed.endedAt !== null ? listed : latest;
}
