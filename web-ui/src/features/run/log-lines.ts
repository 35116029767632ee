import type { Schemas } from "@/api/schemas";

/** The known part of a log: a range without gaps, up to its end. */
export interface LogLines {
  /** The oldest line first. */
  readonly lines: readonly Schemas["LogLine"][];
  /** Cursor to the lines before the first; null if there are none. */
  readonly earlier: string | null;
}

/** Adds the newest page, whose last line comes first. Earlier lines are dropped if there is a gap. */
export function withNewest(known: LogLines | undefined, { items, next }: Schemas["LogPage"]): LogLines {
  const lines = items.toReversed();
  const first = lines[0]?.id ?? 0;
  const last = known?.lines.at(-1)?.id ?? -1;
  return known === undefined || last < first
    ? { lines, earlier: next }
    : { ...known, lines: [...known.lines.filter(({ id }) => id < first), ...lines] };
}

/** Adds the page before the known lines. */
export function withEarlier(known: LogLines, { items, next }: Schemas["LogPage"]): LogLines {
  return { lines: [...items.toReversed(), ...known.lines], earlier: next };
}
