import type { RunSummary } from "@/api/schemas";

type Timed = Pick<RunSummary, "state" | "progress" | "epochSeconds" | "prediction">;

/**
 * Estimates the seconds until the end of a run, from its epochs so far or else from the prediction; undefined if
 * unknown.
 */
export function secondsLeft({ state, progress, epochSeconds, prediction }: Timed): number | undefined {
  const epoch = epochSeconds ?? prediction?.epochSeconds;
  return state === "RUNNING" && epoch !== undefined ? epoch * progress.epochs * (1 - progress.fraction) : undefined;
}
