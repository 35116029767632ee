import { choice, number, text } from "@/shared/search";

export const ORDERS = ["rank", "target", "epoch", "compute", "exchange", "bytes"] as const;
export type Order = (typeof ORDERS)[number];

/** The view of the plan page: the source of the definition, the target accuracy, and the order of the ranking. */
export interface PlanSearch {
  readonly preset?: string;
  readonly scale?: string;
  /** Index of the preset's definition, from 1. */
  readonly part?: number;
  readonly experiment?: string;
  /** An earlier version of the experiment; the newest if omitted. */
  readonly version?: number;
  readonly target?: number;
  readonly order?: Order;
}

export function planSearch(given: Record<string, unknown>): PlanSearch {
  return {
    ...text(given, "preset"),
    ...text(given, "scale"),
    ...number(given, "part", 1, 1_000),
    ...text(given, "experiment"),
    ...number(given, "version", 1, 1e9),
    ...number(given, "target", 0, 1),
    ...choice(given, "order", ORDERS),
  };
}

/** Names the source of the definition; null if the address has none. */
export function sourceOf({ preset, scale, part, experiment, version }: PlanSearch): string | null {
  if (experiment !== undefined) {
    return ["experiment", experiment, version?.toString() ?? ""].join("/");
  }
  return preset === undefined ? null : ["preset", preset, scale ?? "", (part ?? 1).toString()].join("/");
}
