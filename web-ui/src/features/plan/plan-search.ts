import { choice, number, text } from "@/shared/search";

export const ORDERS = ["rank", "target", "epoch", "compute", "exchange", "bytes"] as const;
export type Order = (typeof ORDERS)[number];

/** What is planned: where its definition comes from, how good it is to become, and how the ways to train are told. */
export interface PlanSearch {
  readonly preset?: string;
  readonly scale?: string;
  /** Which of the preset's definitions, from 1. */
  readonly part?: number;
  readonly experiment?: string;
  /** An earlier one of the experiment; the newest where it is left out. */
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

/** Names the source of a definition; null where the address names none. */
export function sourceOf({ preset, scale, part, experiment, version }: PlanSearch): string | null {
  if (experiment !== undefined) {
    return ["experiment", experiment, version?.toString() ?? ""].join("/");
  }
  return preset === undefined ? null : ["preset", preset, scale ?? "", (part ?? 1).toString()].join("/");
}
