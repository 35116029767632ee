import { MOST_COMPARED } from "@/shared/run/comparison";
import { choice, flag, intervals, number, text, texts } from "@/shared/search";

export const TABS = ["curves", "trade-offs", "scaling", "parallel", "differences"] as const;
export type Tab = (typeof TABS)[number];

export const X_AXES = ["step", "epoch", "seconds", "samples", "bytes"] as const;
export type XAxis = (typeof X_AXES)[number];

/** Of which time speed-up and efficiency are told. */
export const TIMES = ["epoch", "training", "target"] as const;
export type Time = (typeof TIMES)[number];

/** A stronger smoothing would leave nothing but the first value. */
export const STRONGEST = 0.99;

const HIGHEST_RANK = 1_000_000;

/** Stretches of axes, from where to where; along values each counts as one. */
export type Intervals = Readonly<Record<string, readonly [number, number]>>;

/** A comparison: what the address says of it, so that it can be kept and sent. */
export interface CompareSearch {
  /** Their ids; the first is the baseline. */
  readonly runs?: readonly string[];
  readonly tab?: Tab;
  readonly metrics?: readonly string[];
  readonly x?: XAxis;
  readonly smooth?: number;
  readonly logX?: boolean;
  readonly logY?: boolean;
  /** The one whose curves are drawn; without it their mean is. */
  readonly rank?: number;
  /** By which field of the definition runs are grouped, or `equal`: those that are equal but for the seed. */
  readonly group?: string;
  /** The accuracy until which time and bytes are counted. */
  readonly target?: number;
  readonly time?: Time;
  readonly axes?: readonly string[];
  /** Through which part of its axis a line goes that is not faint, by the axis' name. */
  readonly only?: Intervals;
}

export function compareSearch(given: Record<string, unknown>): CompareSearch {
  const { runs, ...others } = { ...texts(given, "runs"), ...texts(given, "metrics"), ...texts(given, "axes") };
  return {
    ...(runs && { runs: runs.slice(0, MOST_COMPARED) }),
    ...others,
    ...choice(given, "tab", TABS),
    ...choice(given, "x", X_AXES),
    ...number(given, "smooth", 0, STRONGEST),
    ...flag(given, "logX"),
    ...flag(given, "logY"),
    ...number(given, "rank", 0, HIGHEST_RANK),
    ...text(given, "group"),
    ...number(given, "target", 0, 1),
    ...choice(given, "time", TIMES),
    ...intervals(given, "only"),
  };
}
