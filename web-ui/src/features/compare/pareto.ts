/** Whether small or large values of a figure are good. */
export type Wanted = "least" | "most";

export interface Trade {
  readonly x: number;
  readonly y: number;
}

/**
 * Returns the Pareto front, by increasing x: the points that no other point beats in one figure without being worse in
 * the other.
 */
export function front<Point extends Trade>(points: readonly Point[], x: Wanted, y: Wanted): readonly Point[] {
  const cost = (point: Point): readonly [number, number] => [
    x === "least" ? point.x : -point.x,
    y === "least" ? point.y : -point.y,
  ];
  const sorted = points
    .map((point) => ({ point, cost: cost(point) }))
    .sort((a, b) => a.cost[0] - b.cost[0] || a.cost[1] - b.cost[1]);
  const kept: Point[] = [];
  let best: readonly [number, number] = [-Infinity, Infinity];
  for (const { point, cost: own } of sorted) {
    if (own[1] < best[1] || (own[1] === best[1] && own[0] === best[0])) {
      best = own;
      kept.push(point);
    }
  }
  return kept.sort((a, b) => a.x - b.x);
}

/** Running mean of an accuracy over three evaluations, by which the service decides when a target is reached. */
function runningMeans(accuracies: readonly number[]): readonly number[] {
  return accuracies.map((_, index) => {
    const evaluations = accuracies.slice(Math.max(0, index - 2), index + 1);
    return evaluations.reduce((sum, value) => sum + value, 0) / evaluations.length;
  });
}

/** Returns the highest whole percent of accuracy that every evaluated run reaches; undefined without evaluations. */
export function commonTarget(runs: readonly (readonly (number | null)[])[]): number | undefined {
  const reached = runs.flatMap((accuracies) => {
    const known = accuracies.filter((accuracy) => accuracy !== null);
    return known.length === 0 ? [] : [Math.max(...runningMeans(known))];
  });
  return reached.length === 0 ? undefined : Math.floor(100 * Math.min(...reached)) / 100;
}
