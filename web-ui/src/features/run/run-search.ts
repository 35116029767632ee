import { choice } from "@/shared/search";

export const TABS = ["curves", "time", "exchange", "topology", "definition", "log", "files"] as const;
export type Tab = (typeof TABS)[number];

export const X_AXES = ["step", "epoch", "seconds", "wall-clock", "samples", "bytes"] as const;
export type XAxis = (typeof X_AXES)[number];

export interface RunSearch {
  readonly tab?: Tab;
  readonly x?: XAxis;
}

export function runSearch(given: Record<string, unknown>): RunSearch {
  return { ...choice(given, "tab", TABS), ...choice(given, "x", X_AXES) };
}
