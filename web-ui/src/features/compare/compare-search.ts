import { MAX_COMPARED } from "@/shared/run/comparison";
import { choice, flag, intervals, number, text, texts } from "@/shared/search";

export const TABS = ["curves", "trade-offs", "scaling", "parallel", "differences"] as const;
export type Tab = (typeof TABS)[number];

export const X_AXES = ["step", "epoch", "seconds", "wall-clock", "samples", "bytes"] as const;
export type XAxis = (typeof X_AXES)[number];

/** Times for which speedup and efficiency are computed. */
export const TIMES = ["epoch", "training", "target"] as const;
export type Time = (typeof TIMES)[number];

/** A stronger smoothing would leave only the first value. */
export const STRONGEST = 0.99;

const MAX_RANK = 1_000_000;

/** Ranges of axes, from the lower to the upper end; along discrete values the unit is one value. */
export type Intervals = Readonly<Record<string, readonly [number, number]>>;

/** The view of a comparison, in the address, so that it can be saved and shared. */
export interface CompareSearch {
  /** Run ids; the first is the baseline. */
  readonly runs?: readonly string[];
  readonly tab?: Tab;
  readonly metrics?: readonly string[];
  readonly x?: XAxis;
  readonly smooth?: number;
  readonly logX?: boolean;
  readonly logY?: boolean;
  /** The rank whose curves are drawn; without it, the mean of the ranks. */
  readonly rank?: number;
  /** The field of the definition that groups runs, `equal` for seed groups, or `each`. */
  readonly group?: string;
  /** The target accuracy of time and bytes to accuracy. */
  readonly target?: number;
  readonly time?: Time;
  readonly axes?: readonly string[];
  /** Ranges by axis name; lines outside of a range are faint. */
  readonly only?: Intervals;
}

export function compareSearch(given: Record<string, unknown>): CompareSearch {
  const { runs, ...others } = { ...texts(given, "runs"), ...texts(given, "metrics"), ...texts(given, "axes") };
  return {
    ...(runs && { runs: runs.slice(0, MAX_COMPARED) }),
    ...others,
    ...choice(given, "tab", TABS),
    ...choice(given, "x", X_AXES),
    ...number(given, "smooth", 0, STRONGEST),
    ...flag(given, "logX"),
    ...flag(given, "logY"),
    ...number(given, "rank", 0, MAX_RANK),
    ...text(given, "group"),
    ...number(given, "target", 0, 1),
    ...choice(given, "time", TIMES),
    ...intervals(given, "only"),
  };
}
