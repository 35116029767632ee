import type { RunSummary } from "@/api/schemas";

type Timed = Pick<RunSummary, "state" | "progress" | "epochSeconds" | "prediction">;

/** How long the run still trains, by its own epochs so far or else by the prediction; undefined where nobody knows. */
export function secondsLeft({ state, progress, epochSeconds, prediction }: Timed): number | undefined {
  const epoch = epochSeconds ?? prediction?.epochSeconds;
  return state === "RUNNING" && epoch !== undefined ? epoch * progress.epochs * (1 - progress.fraction) : undefined;
}
