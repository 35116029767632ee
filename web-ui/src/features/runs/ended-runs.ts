import type { RunSummary } from "@/api/schemas";

export interface Page {
  readonly items: readonly RunSummary[];
  readonly next: string | null;
}

/** A tab that is open for weeks does not keep all that ended meanwhile. */
const MOST = 5_000;

/**
 * The runs that have ended, the last first: those that were known, and in front of them page after page of what has
 * ended since, however long nobody looked.
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
    cursor = goesOn && items.length < MOST ? (page.next ?? undefined) : undefined;
  } while (cursor !== undefined);
  // Within the stretch that was read now, what is not there any more is gone.
  const behind = known.filter((run) => endOf(run) < endOf(items.at(-1)));
  return [...items, ...behind].slice(0, MOST);
}

/** In milliseconds; of no run neither before nor after any other. */
function endOf(run: RunSummary | undefined): number {
  return run?.endedAt == null ? NaN : Date.parse(run.endedAt);
}
