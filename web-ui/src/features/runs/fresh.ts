import type { RunState, RunSummary } from "@/api/schemas";

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
  listed: readonly RunSummary[],
  latest: readonly RunSummary[],
  states: readonly RunState[] | undefined,
): Fresh {
  const now = new Map(latest.map((run) => [run.id, run]));
  const known = new Set(listed.map(({ id }) => id));
  const oldest = listed.at(-1)?.queuedAt;
  const newcomers = [...now.values()].filter(
    ({ id, state, queuedAt }) =>
      !known.has(id) &&
      (states === undefined || states.includes(state)) &&
      // What lies behind the end of a list that was not read to its end has not come anew.
      (oldest === undefined || queuedAt > oldest),
  ).length;
  return { rows: listed.map((run) => newer(run, now.get(run.id))), newcomers };
}

/** The last that was read; but what has ended does not begin again. */
function newer(listed: RunSummary, latest: RunSummary | undefined): RunSummary {
  return latest === undefined || (listed.endedAt !== null && latest.endedAt === null) ? listed : latest;
}
