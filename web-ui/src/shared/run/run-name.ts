import type { Run } from "@/api/schemas";

/** Returns the number of a run in its experiment, counted from 1; the API counts positions from 0. */
export function runNumber({ position }: Pick<Run, "position">): string {
  return (position + 1).toString();
}

/** Returns what the run is called everywhere: "methods: bsp, seed 1", or "digits #1" for the only run of a version. */
export function runName({ name }: Pick<Run, "name">): string {
  return name;
}
