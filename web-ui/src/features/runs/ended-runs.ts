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
  const newest = known[0]?.id;
  const items: RunSummary[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    const ended = page.items.filter(({ endedAt }) => endedAt !== null);
    items.push(...ended);
    const isJoined = newest === undefined || ended.length < page.items.length || ended.some(({ id }) => id === newest);
    cursor = isJoined || items.length >= MOST ? undefined : (page.next ?? undefined);
  } while (cursor !== undefined);
  const now = new Set(items.map(({ id }) => id));
  return [...items, ...known.filter(({ id }) => !now.has(id))].slice(0, MOST);
}
