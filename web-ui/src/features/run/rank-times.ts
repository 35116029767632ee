import type { Run } from "@/api/schemas";
import { PHASES, type Phase } from "@/shared/chart/palette";

type RankView = Run["epochs"][number]["ranks"][number];

export type Seconds = Readonly<Record<Phase, number>>;

/** What a rank does in an epoch, in the mean over those that its worker of now has done. */
export interface RankTimes {
  readonly rank: number;
  readonly workerName: string;
  /** Samples an epoch. */
  readonly samples: number;
  /** The part of all samples, 0 to 1. */
  readonly part: number;
  /** Null before that worker has done an epoch. */
  readonly seconds: Seconds | null;
  readonly hiddenSeconds: number;
  readonly bytesSent: number;
}

export function rankTimes({ generation, replicas, epochs }: Run): readonly RankTimes[] {
  const all = replicas.reduce((sum, { share }) => sum + share, 0);
  return replicas.map(({ rank, workerName, share }) => {
    const told = epochs.flatMap(({ ranks }) =>
      ranks.filter((each) => each.rank === rank && each.generation === generation),
    );
    const mean = (of: (view: RankView) => number): number =>
      told.length === 0 ? 0 : told.reduce((sum, view) => sum + of(view), 0) / told.length;
    return {
      rank,
      workerName,
      samples: share,
      part: all === 0 ? 0 : share / all,
      seconds: told.length === 0 ? null : secondsOf((phase) => mean((view) => view[`${phase}Seconds`])),
      hiddenSeconds: mean(({ hiddenSeconds }) => hiddenSeconds),
      bytesSent: mean(({ bytesSent }) => bytesSent),
    };
  });
}

export function secondsOf(of: (phase: Phase) => number): Seconds {
  return Object.fromEntries(PHASES.map((phase) => [phase, of(phase)])) as Record<Phase, number>;
}

/** How often each staleness was seen, of all ranks and epochs; its index is the staleness. */
export function stalenessCounts({ epochs }: Run): readonly number[] {
  const counts: number[] = [];
  for (const { updates } of epochs.flatMap(({ ranks }) => ranks)) {
    updates.staleness.forEach((count, staleness) => {
      counts[staleness] = (counts[staleness] ?? 0) + count;
    });
  }
  return counts;
}
