import type { RunSummary } from "@/api/schemas";

export interface Page {
  readonly items: readonly RunSummary[];
  readonly next: string | null;
}

/** The most ended runs that are kept, for a tab that is open for weeks. */
const MAX_RUNS = 5_000;

/**
 * Returns the ended runs, the last first: the known ones, preceded by pages of those that have ended since, whatever
 * the time since the last poll.
 */
export async function joined(
  known: readonly RunSummary[],
  read: (cursor: string | undefined) => Promise<Page>,
): Promise<readonly RunSummary[]> {
  const items: RunSummary[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    const ended = page.items.filter(({ endedAt }) => endedAt !== null);
    items.push(...ended);
    const goesOn = ended.length === page.items.length && endOf(ended.at(-1)) > endOf(known[0]);
    cursor = goesOn && items.length < MAX_RUNS ? (page.next ?? undefined) : undefined;
  } while (cursor !== undefined);
  // Within the range that was read now, missing runs were deleted.
  const behind = known.filter((run) => endOf(run) < endOf(items.at(-1)));
  return [...items, ...behind].slice(0, MAX_RUNS);
}

/** End in milliseconds; without a run, neither before nor after any other. */
function endOf(run: RunSummary | undefined): number {
  return run?.endedAt == null ? NaN : Date.parse(run.endedAt);
}
