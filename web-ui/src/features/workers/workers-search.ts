import type { Worker } from "@/api/schemas";
import { choice, text, texts } from "@/shared/search";

export const STATES = [
  "JOINING",
  "IDLE",
  "BUSY",
  "DRAINING",
  "LOST",
  "LEFT",
] as const satisfies readonly Worker["state"][];

export const SORTS = ["name", "state", "host", "threads", "memory", "slowDown", "load", "seen"] as const;
export type SortName = (typeof SORTS)[number];
export type Sort = SortName | `-${SortName}`;

/** A view of the workers: what the address says of it. */
export interface WorkersSearch {
  readonly state?: readonly Worker["state"][];
  /** Part of the name of a worker or of its host. */
  readonly name?: string;
  /** Of the form `key=value`, or the key alone. */
  readonly label?: string;
  readonly sort?: Sort;
}

export function workersSearch(given: Record<string, unknown>): WorkersSearch {
  return {
    ...texts(given, "state", STATES),
    ...text(given, "name"),
    ...text(given, "label"),
    ...choice(
      given,
      "sort",
      SORTS.flatMap((sort): Sort[] => [sort, `-${sort}`]),
    ),
  };
}

export const FIGURES = ["speed", "time"] as const;
export type Figure = (typeof FIGURES)[number];

/** What of the profiles of one worker is in view. */
export interface WorkerSearch {
  readonly network?: string;
  readonly kernel?: string;
  readonly figure?: Figure;
  /** Which profiles are drawn; those that count where none is told. */
  readonly profile?: readonly string[];
}

export function workerSearch(given: Record<string, unknown>): WorkerSearch {
  return {
    ...text(given, "network"),
    ...text(given, "kernel"),
    ...choice(given, "figure", FIGURES),
    ...texts(given, "profile"),
  };
}

export const LINK_FIGURES = ["latency", "bandwidth"] as const;
export type LinkFigure = (typeof LINK_FIGURES)[number];

export interface LinksSearch {
  readonly figure?: LinkFigure;
  /** Between which workers; all where none is told. */
  readonly worker?: readonly string[];
}

export function linksSearch(given: Record<string, unknown>): LinksSearch {
  return { ...choice(given, "figure", LINK_FIGURES), ...texts(given, "worker") };
}
