import type { Run } from "@/api/schemas";

/** A replica that differs from the first one though the method keeps them equal. */
export interface Difference {
  readonly rank: number;
  readonly name: string;
  readonly from: string;
  readonly absolute: number;
  readonly relative: number;
}

/** Returns the replicas that differed after the last epoch. */
export function differences(run: Run): readonly Difference[] {
  return (run.epochs.at(-1)?.ranks ?? []).flatMap(({ rank, generation, difference }) =>
    difference == null
      ? []
      : [
          {
            rank,
            name: nameOf(run, generation, rank),
            from: nameOf(run, generation, difference.from),
            absolute: difference.absolute,
            relative: difference.relative,
          },
        ],
  );
}

/** Tells whether the replicas of a run are equal, and if not by how much, as far as that was measured. */
export function agreement(run: Run): string {
  const { replicasIdentical } = run;
  if (replicasIdentical == null) {
    return "";
  }
  return replicasIdentical ? ", identical" : `, differ${by(run)}`;
}

function by(run: Run): string {
  const relative = differences(run).map((each) => each.relative);
  if (relative.length > 0) {
    return ` by up to ${Math.max(...relative).toExponential(1)} of their norm`;
  }
  return run.epochs.at(-1)?.distance == null ? ", distance not measured" : "";
}

/** Names a rank, with worker and processor if the present worker trained the epoch. */
function nameOf(run: Run, generation: number, rank: number): string {
  const replica = generation === run.generation ? run.replicas.find((each) => each.rank === rank) : undefined;
  const worker = replica === undefined ? "" : ` · ${replica.workerName}`;
  return `${rank.toString()}${worker}${replica?.processor == null ? "" : ` (${replica.processor})`}`;
}
