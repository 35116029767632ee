import type { RunSummary } from "@/api/schemas";

type State = RunSummary["state"];

export const STATE_COLORS: Record<State, string> = {
  QUEUED: "gray",
  PLACED: "cyan",
  PREPARING: "cyan",
  RUNNING: "indigo",
  COMPLETED: "teal",
  FAILED: "red",
  CANCELLED: "gray",
};

const FINAL: readonly State[] = ["COMPLETED", "FAILED", "CANCELLED"];

export function isFinal(state: State): boolean {
  return FINAL.includes(state);
}
