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

/** Names a rank, with worker and processor if the present worker trained the epoch. */
function nameOf(run: Run, generation: number, rank: number): string {
  const replica = generation === run.generation ? run.replicas.find((each) => each.rank === rank) : undefined;
  const worker = replica === undefined ? "" : ` · ${replica.workerName}`;
  return `${rank.toString()}${worker}${replica?.processor == null ? "" : ` (${replica.processor})`}`;
}
