import type { Schemas } from "@/api/schemas";
import { PHASES, type Phase } from "@/shared/chart/palette";

type Whole = Schemas["Waterfall"];
type Segment = Whole["segments"][number];
export type Kind = Segment["kind"];

/** The most segments in view; a run that was preempted over and over may have thousands. */
const MOST = 100;

const TITLES: Readonly<Partial<Record<Kind, string>>> = {
  report: "not in a report",
  unrecorded: "after 2,000 changes of state",
};

/** Part of a training segment: a phase of its epochs, or other time. */
export interface Part {
  readonly phase: Phase | "other";
  readonly seconds: number;
}

/** Row of a waterfall. */
export interface WaterfallRow {
  readonly key: number;
  readonly name: string;
  /** Null for many segments together. */
  readonly kind: Kind | null;
  readonly startSeconds: number;
  readonly seconds: number;
  /** Part of the time of the run, from 0 to 1. */
  readonly fraction: number;
  /** Parts with any time; none of a segment that is not divided. */
  readonly parts: readonly Part[];
}

/** Returns a row for each segment. Segments after the first 100 have one row together, so that all rows sum to the run. */
export function waterfallRows({ seconds, segments }: Whole): readonly WaterfallRow[] {
  const several = new Set(segments.map(({ generation }) => generation).filter((each) => each !== null)).size > 1;
  const rows = segments.slice(0, MOST).map((segment, key) => ({
    key,
    name: nameOf(segment, several),
    kind: segment.kind,
    startSeconds: segment.startSeconds,
    seconds: segment.seconds,
    fraction: segment.seconds / seconds,
    parts: partsOf(segment.epochs),
  }));
  const further = segments.slice(MOST);
  const [first] = further;
  if (first === undefined) {
    return rows;
  }
  const length = seconds - first.startSeconds;
  return [
    ...rows,
    {
      key: MOST,
      name: `${further.length.toLocaleString("en")} further segments`,
      kind: null,
      startSeconds: first.startSeconds,
      seconds: length,
      fraction: length / seconds,
      parts: [],
    },
  ];
}

function nameOf({ kind, generation }: Segment, several: boolean): string {
  const title = TITLES[kind] ?? kind;
  return several && generation !== null ? `${title}, generation ${generation.toString()}` : title;
}

function partsOf(epochs: Segment["epochs"]): readonly Part[] {
  if (epochs === null) {
    return [];
  }
  return [...PHASES, "other" as const]
    .map((phase) => ({ phase, seconds: epochs[`${phase}Seconds`] }))
    .filter(({ seconds }) => seconds > 0);
}
