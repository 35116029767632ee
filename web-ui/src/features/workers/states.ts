import type { Worker } from "@/api/schemas";

import type { Profile } from "./use-workers";

export const STATE_COLORS: Record<Worker["state"], string> = {
  JOINING: "cyan",
  IDLE: "teal",
  BUSY: "indigo",
  DRAINING: "orange",
  LOST: "red",
  LEFT: "gray",
};

export const MEASUREMENT_COLORS: Record<Profile["state"], string> = {
  PENDING: "gray",
  MEASURING: "indigo",
  COMPLETE: "teal",
  FAILED: "red",
  CANCELLED: "gray",
};

/** Returns why no run and no plan uses a complete profile, or null if they do. */
export function staleness({ stale, state }: Profile): string | null {
  return state === "COMPLETE" && stale.length > 0
    ? `Stale: the worker's host has changed (${stale.join("; ")}). Neither runs nor plans use this profile; measure it again.`
    : null;
}
