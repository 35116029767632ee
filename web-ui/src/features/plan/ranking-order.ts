import type { Schemas } from "@/api/schemas";

import type { Order } from "./plan-search";

export type Entry = Schemas["Plan.Entry"];

export interface RankedEntry extends Entry {
  /** Its place among the ways that are told, the best first. */
  readonly rank: number;
}

const FIGURES: Record<Order, (entry: RankedEntry) => number | null> = {
  rank: ({ rank }) => rank,
  target: ({ secondsToTarget }) => secondsToTarget,
  epoch: ({ epochSeconds }) => epochSeconds,
  compute: ({ computeSeconds }) => computeSeconds,
  exchange: ({ exchangeSeconds }) => exchangeSeconds,
  bytes: ({ bytes }) => bytes,
};

/** The least first; of what nothing is known stands last, and equals stand as the service ranks them. */
export function ordered(ranking: readonly Entry[], order: Order): readonly RankedEntry[] {
  const figure = FIGURES[order];
  const size = (entry: RankedEntry): number => figure(entry) ?? Infinity;
  return ranking
    .map((entry, index) => ({ ...entry, rank: index + 1 }))
    .sort((one, other) => (size(one) === size(other) ? one.rank - other.rank : size(one) - size(other)));
}

/** Between which seconds an epoch is expected; null where nobody knows how uncertain it is. */
export function interval({ epochSeconds, uncertainty }: Entry): readonly [least: number, most: number] | null {
  return uncertainty === null ? null : [epochSeconds / (1 + uncertainty), epochSeconds * (1 + uncertainty)];
}

/** What most of an epoch goes into. */
export function limit({ computeSeconds, exchangeSeconds }: Entry): "computing" | "exchange" {
  return exchangeSeconds > computeSeconds ? "exchange" : "computing";
}
