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

export const TABS = ["list", "speed", "tokens"] as const;
export type Tab = (typeof TABS)[number];

/** A view of the workers, in the address. */
export interface WorkersSearch {
  readonly state?: readonly Worker["state"][];
  /** A part of the name of a worker or its host. */
  readonly name?: string;
  /** In the form `key=value`, or the key alone. */
  readonly label?: string;
  readonly sort?: Sort;
  readonly tab?: Tab;
  /** The network whose speeds are compared; the one that was measured last if undefined. */
  readonly network?: string;
}

export function workersSearch(given: Record<string, unknown>): WorkersSearch {
  return {
    ...texts(given, "state", STATES),
    ...text(given, "name"),
    ...text(given, "label"),
    ...choice(given, "tab", TABS),
    ...text(given, "network"),
    ...choice(
      given,
      "sort",
      SORTS.flatMap((sort): Sort[] => [sort, `-${sort}`]),
    ),
  };
}

export const FIGURES = ["speed", "time"] as const;
export type Figure = (typeof FIGURES)[number];

/** Lengths of the history of a worker. */
export const SPANS = ["hour", "day", "week", "month"] as const;
export type Span = (typeof SPANS)[number];

/** The view of the profiles and the history of a worker. */
export interface WorkerSearch {
  readonly network?: string;
  readonly kernel?: string;
  readonly figure?: Figure;
  /** The drawn profiles; those in use if undefined. */
  readonly profile?: readonly string[];
  /** A day if undefined. */
  readonly history?: Span;
}

export function workerSearch(given: Record<string, unknown>): WorkerSearch {
  return {
    ...text(given, "network"),
    ...text(given, "kernel"),
    ...choice(given, "figure", FIGURES),
    ...texts(given, "profile"),
    ...choice(given, "history", SPANS),
  };
}

export const LINK_FIGURES = ["latency", "bandwidth"] as const;
export type LinkFigure = (typeof LINK_FIGURES)[number];

export interface LinksSearch {
  readonly figure?: LinkFigure;
  /** The workers between which links are shown; all if undefined. */
  readonly worker?: readonly string[];
}

export function linksSearch(given: Record<string, unknown>): LinksSearch {
  return { ...choice(given, "figure", LINK_FIGURES), ...texts(given, "worker") };
}
