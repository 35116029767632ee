import type { Schemas } from "@/api/schemas";

/** What is known of a log: a stretch of it without gaps, up to its end. */
export interface LogLines {
  /** The first first. */
  readonly lines: readonly Schemas["LogLine"][];
  /** Where what came before the first is asked for; null where nothing did. */
  readonly earlier: string | null;
}

/** With the newest page, whose last line stands first. Where it leaves a gap, what was known before it goes. */
export function withNewest(known: LogLines | undefined, { items, next }: Schemas["LogPage"]): LogLines {
  const lines = items.toReversed();
  const first = lines[0]?.id ?? 0;
  const last = known?.lines.at(-1)?.id ?? -1;
  return known === undefined || last < first
    ? { lines, earlier: next }
    : { ...known, lines: [...known.lines.filter(({ id }) => id < first), ...lines] };
}

/** With the page in front of it. */
export function withEarlier(known: LogLines, { items, next }: Schemas["LogPage"]): LogLines {
  return { lines: [...items.toReversed(), ...known.lines], earlier: next };
}
