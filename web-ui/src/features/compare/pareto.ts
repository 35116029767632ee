/** Whether a figure is good where it is small. */
export type Wanted = "least" | "most";

export interface Trade {
  readonly x: number;
  readonly y: number;
}

/** Those that no other beats in one figure without being beaten in the other, by growing x. */
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

/** The running mean of an accuracy over three looks, by which the service decides when a target is reached. */
function runningMeans(accuracies: readonly number[]): readonly number[] {
  return accuracies.map((_, index) => {
    const looks = accuracies.slice(Math.max(0, index - 2), index + 1);
    return looks.reduce((sum, value) => sum + value, 0) / looks.length;
  });
}

/** The highest whole percent of accuracy that every run that was looked at reaches; undefined where none was. */
export function commonTarget(runs: readonly (readonly (number | null)[])[]): number | undefined {
  const reached = runs.flatMap((accuracies) => {
    const known = accuracies.filter((accuracy) => accuracy !== null);
    return known.length === 0 ? [] : [Math.max(...runningMeans(known))];
  });
  return reached.length === 0 ? undefined : Math.floor(100 * Math.min(...reached)) / 100;
}
