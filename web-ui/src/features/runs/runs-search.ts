import type { RunState } from "@/api/schemas";
import { choice, text, texts } from "@/shared/search";
import { STATES } from "@/shared/run/run-states";

import { SORTS, type Sort } from "./run-order";

export const COLUMN_IDS = [
  "state",
  "progress",
  "timeLeft",
  "method",
  "seed",
  "epochSeconds",
  "predicted",
  "testAccuracy",
  "testLoss",
  "replicas",
  "tags",
  "priority",
  "queuedAt",
  "startedAt",
  "endedAt",
] as const;
export type ColumnId = (typeof COLUMN_IDS)[number];

/** A view of the runs, in the address, so that it can be saved and shared. */
export interface RunsSearch {
  readonly state?: readonly RunState[];
  readonly name?: string;
  readonly tag?: string;
  readonly experiment?: string;
  readonly sort?: Sort;
  readonly columns?: readonly ColumnId[];
}

export const NEWEST: Sort = "-queuedAt";

export function runsSearch(given: Record<string, unknown>): RunsSearch {
  return {
    ...texts(given, "state", STATES),
    ...text(given, "name"),
    ...text(given, "tag"),
    ...text(given, "experiment"),
    ...choice(
      given,
      "sort",
      SORTS.flatMap((sort): Sort[] => [sort, `-${sort}`]),
    ),
    ...texts(given, "columns", COLUMN_IDS),
  };
}
