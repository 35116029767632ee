import type { Schemas } from "@/api/schemas";

import type { Time } from "./compare-search";
import { estimate, type Estimate } from "./estimate";
import { differing, labelOf, REPLICAS, SEED } from "./fields";
import { grouped } from "./grouped";
import { EQUAL, type Subject } from "./subjects";

export interface Measured {
  readonly line: string;
  readonly replicas: number;
  readonly seconds: number;
}

export interface ScalingPoint {
  readonly line: string;
  readonly replicas: number;
  readonly seconds: Estimate;
  /** Its confidence interval follows from that of the seconds; the time of the fewest replicas is taken as exact. */
  readonly speedup: Between;
  readonly efficiency: number;
}

type Between = Omit<Estimate, "count">;

type Compared = Pick<Schemas["ComparedRun"], "run" | "epochSeconds" | "figures">;

/**
 * Returns the times of the runs that have them; a line joins runs that differ only in replicas and seed, or have one
 * field in common.
 */
export function measuredOf(
  runs: readonly Compared[],
  subjects: readonly Subject[],
  time: Time,
  by: string | undefined,
): readonly Measured[] {
  const paths =
    by === undefined || by === EQUAL
      ? differing(subjects.map(({ fields }) => fields)).filter((path) => path !== REPLICAS && path !== SEED)
      : [by];
  return runs.flatMap((compared) => {
    const subject = subjects.find(({ id }) => id === compared.run);
    const seconds = secondsOf(compared, time);
    return subject === undefined || seconds === null || seconds <= 0
      ? []
      : [{ line: labelOf(subject.fields, paths) || "All runs", replicas: subject.replicas, seconds }];
  });
}

function secondsOf({ epochSeconds, figures }: Compared, time: Time): number | null {
  switch (time) {
    case "epoch":
      return epochSeconds;
    case "training":
      return figures.trainingSeconds;
    case "target":
      return figures.secondsToTarget;
  }
}

/**
 * Returns speedup and efficiency along each line, relative to its fewest replicas. These are assumed to scale ideally,
 * so the ideal speedup is the number of replicas on every line.
 */
export function scaling(measured: readonly Measured[]): readonly ScalingPoint[] {
  return [...grouped(measured, ({ line }) => line)].flatMap(([line, own]) => {
    const points = [...grouped(own, ({ replicas }) => replicas)]
      .map(([replicas, runs]) => ({ line, replicas, all: runs.map(({ seconds }) => seconds) }))
      .sort((a, b) => a.replicas - b.replicas);
    const [fewest] = points;
    const whole = fewest === undefined ? 0 : fewest.replicas * estimate(fewest.all).mean;
    return points.map(({ replicas, all }) => {
      const seconds = estimate(all);
      const mean = whole / seconds.mean;
      // The relative width is that of the seconds, which is exact to first order and always finite.
      const half = (mean * (seconds.high - seconds.mean)) / seconds.mean;
      const speedup = { mean, low: mean - half, high: mean + half };
      return { line, replicas, seconds, speedup, efficiency: mean / replicas };
    });
  });
}

/** Returns the value and bounds of a point of the chart. */
export function scaled({ replicas, speedup }: ScalingPoint, figure: "speedup" | "efficiency"): Between {
  const by = figure === "speedup" ? 1 : replicas;
  return { mean: speedup.mean / by, low: speedup.low / by, high: speedup.high / by };
}
