import type { Run } from "@/api/schemas";
import { isFinal } from "@/shared/run/run-states";

type WithState = Pick<Run, "state">;

/** Says that a run has completed no epoch yet, or none at all. */
export function noFigures({ state }: WithState): string {
  return isFinal(state) ? "No epoch was completed." : "Figures appear after the first epoch.";
}

/** Says that a run has no metrics. */
export function noMetrics({ state }: WithState): string {
  return isFinal(state) ? "Nothing was measured." : "There are no metrics yet.";
}

/** Says that a run has no workers. */
export function noWorkers({ state }: WithState): string {
  return isFinal(state) ? "The run had no workers." : "The run has no workers yet.";
}
