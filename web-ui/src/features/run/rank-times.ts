import type { Run } from "@/api/schemas";
import { PHASES, type Phase } from "@/shared/chart/palette";

type RankView = Run["epochs"][number]["ranks"][number];

export type Seconds = Readonly<Record<Phase, number>>;

/** Phase times of a rank, as a mean over the epochs of its current worker. */
export interface RankTimes {
  readonly rank: number;
  readonly workerName: string;
  /** Samples per epoch. */
  readonly samples: number;
  /** Fraction of all samples, from 0 to 1. */
  readonly part: number;
  /** Null before the first epoch of the current worker. */
  readonly seconds: Seconds | null;
  readonly hiddenSeconds: number;
  readonly bytesSent: number;
}

export function rankTimes({ generation, replicas, epochs }: Run): readonly RankTimes[] {
  const all = replicas.reduce((sum, { share }) => sum + share, 0);
  return replicas.map(({ rank, workerName, share }) => {
    const known = epochs.flatMap(({ ranks }) =>
      ranks.filter((each) => each.rank === rank && each.generation === generation),
    );
    const mean = (of: (view: RankView) => number): number =>
      known.length === 0 ? 0 : known.reduce((sum, view) => sum + of(view), 0) / known.length;
    return {
      rank,
      workerName,
      samples: share,
      part: all === 0 ? 0 : share / all,
      seconds: known.length === 0 ? null : secondsOf((phase) => mean((view) => view[`${phase}Seconds`])),
      hiddenSeconds: mean(({ hiddenSeconds }) => hiddenSeconds),
      bytesSent: mean(({ bytesSent }) => bytesSent),
    };
  });
}

export function secondsOf(of: (phase: Phase) => number): Seconds {
  return Object.fromEntries(PHASES.map((phase) => [phase, of(phase)])) as Record<Phase, number>;
}

/** Counts the updates of all ranks and epochs by their staleness, which is the index. */
export function stalenessCounts({ epochs }: Run): readonly number[] {
  const counts: number[] = [];
  for (const { updates } of epochs.flatMap(({ ranks }) => ranks)) {
    updates.staleness.forEach((count, staleness) => {
      counts[staleness] = (counts[staleness] ?? 0) + count;
    });
  }
  return counts;
}
