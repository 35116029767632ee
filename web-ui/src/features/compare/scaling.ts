import type { Schemas } from "@/api/schemas";

import type { Time } from "./compare-search";

type Estimate = Schemas["MeanEstimate"];

/** A time of a line over a number of replicas, with its speedup, as the service estimates them. */
export interface TimedPoint {
  readonly line: string;
  readonly replicas: number;
  readonly seconds: Estimate;
  readonly speedup: Estimate;
}

/** Returns the points that have a time. */
export function timedPoints(scaling: readonly Schemas["ScalingPoint"][], time: Time): readonly TimedPoint[] {
  return scaling.flatMap((point) => {
    const timed = point[time];
    return timed === null ? [] : [{ line: point.line, replicas: point.replicas, ...timed }];
  });
}

/** Returns the value of a point of the chart, with its interval: the speedup, or its share of the ideal one. */
export function scaled({ replicas, speedup }: TimedPoint, figure: "speedup" | "efficiency"): Estimate {
  const by = figure === "speedup" ? 1 : replicas;
  const { mean, low, high, points } = speedup;
  return {
    ...speedup,
    mean: mean / by,
    low: low === null ? null : low / by,
    high: high === null ? null : high / by,
    points: points.map((value) => value / by),
  };
}
