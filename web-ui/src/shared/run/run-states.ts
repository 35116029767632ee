import type { RunState } from "@/api/schemas";

export const STATE_COLORS: Record<RunState, string> = {
  QUEUED: "gray",
  PLACED: "cyan",
  PREPARING: "cyan",
  RUNNING: "indigo",
  COMPLETED: "teal",
  FAILED: "red",
  CANCELLED: "gray",
};

export const STATES = Object.keys(STATE_COLORS) as readonly RunState[];

const FINAL: readonly RunState[] = ["COMPLETED", "FAILED", "CANCELLED"];

/** States of runs that have workers. */
export const PLACED_STATES = STATES.filter((state) => state !== "QUEUED" && !isFinal(state));

export function isFinal(state: RunState): boolean {
  return FINAL.includes(state);
}
