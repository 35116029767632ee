import type { Run } from "@/api/schemas";

type RankView = Run["epochs"][number]["ranks"][number];

export interface BestReplica {
  readonly rank: number;
  readonly accuracy: number;
}

/** Returns the replica with the highest accuracy of its own in the last evaluation of replicas, the first of equals. */
export function bestReplica({ epochs }: Run): BestReplica | null {
  const evaluated = epochs.findLast(({ ranks }) => ranks.some(isEvaluated));
  return (evaluated?.ranks ?? []).reduce<BestReplica | null>(
    (best, { rank, ownAccuracy }) =>
      ownAccuracy == null || (best !== null && best.accuracy >= ownAccuracy) ? best : { rank, accuracy: ownAccuracy },
    null,
  );
}

function isEvaluated({ ownAccuracy }: RankView): boolean {
  return ownAccuracy != null;
}
