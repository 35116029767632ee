import type { Schemas } from "@/api/schemas";

import type { Order } from "./plan-search";

export type Entry = Schemas["Plan.Entry"];

export interface RankedEntry extends Entry {
  /** Position in the ranking of the service, from 1. */
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

/** Sorts by a figure, the least first; unknown values are last, and ties keep the order of the service. */
export function ordered(ranking: readonly Entry[], order: Order): readonly RankedEntry[] {
  const figure = FIGURES[order];
  const size = (entry: RankedEntry): number => figure(entry) ?? Infinity;
  return ranking
    .map((entry, index) => ({ ...entry, rank: index + 1 }))
    .sort((one, other) => (size(one) === size(other) ? one.rank - other.rank : size(one) - size(other)));
}

/** Returns the prediction interval of a time, in seconds; null if it is unknown. */
export function interval(
  entry: Entry,
  time: "epochSeconds" | "secondsToTarget",
): readonly [least: number, most: number] | null {
  const [low, high] = [entry[`${time}Low`], entry[`${time}High`]];
  return low === null || high === null ? null : [low, high];
}

/** Returns the larger part of an epoch. */
export function limit({ computeSeconds, exchangeSeconds }: Entry): "computing" | "exchange" {
  return exchangeSeconds > computeSeconds ? "exchange" : "computing";
}
