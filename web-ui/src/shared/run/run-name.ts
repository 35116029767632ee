import type { Run } from "@/api/schemas";

/** Returns the number of a run in its experiment, counted from 1; the API counts positions from 0. */
export function runNumber({ position }: Pick<Run, "position">): string {
  return (position + 1).toString();
}

/** Returns the name of the experiment and the number of the run, like "digits #1". */
export function runName(run: Pick<Run, "experimentName" | "position">): string {
  return `${run.experimentName} #${runNumber(run)}`;
}
