import type { Run } from "@/api/schemas";

export interface RankFigures {
  readonly rank: number;
  readonly workerName: string;
  /** Samples an epoch. */
  readonly samples: number;
  /** The part of all samples, 0 to 1. */
  readonly part: number;
  /** Means over the epochs so far; null before the first one is done. */
  readonly measured: RankTimes | null;
}

export interface RankTimes {
  readonly computeSeconds: number;
  readonly transferSeconds: number;
  readonly waitSeconds: number;
  readonly bytesSent: number;
}

/** What each rank does in an epoch of the run. */
export function rankFigures({ replicas, epochs }: Run): readonly RankFigures[] {
  const all = replicas.reduce((sum, { share }) => sum + share, 0);
  const ranks = epochs.flatMap((epoch) => epoch.ranks);
  return replicas.map(({ rank, workerName, share }) => ({
    rank,
    workerName,
    samples: share,
    part: all === 0 ? 0 : share / all,
    measured: means(ranks.filter((figures) => figures.rank === rank)),
  }));
}

function means(epochs: readonly RankTimes[]): RankTimes | null {
  if (epochs.length === 0) {
    return null;
  }
  const mean = (figure: keyof RankTimes): number =>
    epochs.reduce((sum, epoch) => sum + epoch[figure], 0) / epochs.length;
  return {
    computeSeconds: mean("computeSeconds"),
    transferSeconds: mean("transferSeconds"),
    waitSeconds: mean("waitSeconds"),
    bytesSent: mean("bytesSent"),
  };
}

export function totalSeconds({ computeSeconds, transferSeconds, waitSeconds }: RankTimes): number {
  return computeSeconds + transferSeconds + waitSeconds;
}
