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
  /** Its interval is that of the seconds; the fewest replicas of the line are taken for exact. */
  readonly speedup: Between;
  readonly efficiency: number;
}

type Between = Omit<Estimate, "count">;

type Told = Pick<Schemas["ComparedRun"], "run" | "epochSeconds" | "figures">;

/** The runs that have the time; of one line are those that differ in replicas and seed alone, or have one field in common. */
export function measuredOf(
  runs: readonly Told[],
  subjects: readonly Subject[],
  time: Time,
  by: string | undefined,
): readonly Measured[] {
  const paths =
    by === undefined || by === EQUAL
      ? differing(subjects.map(({ fields }) => fields)).filter((path) => path !== REPLICAS && path !== SEED)
      : [by];
  return runs.flatMap((told) => {
    const subject = subjects.find(({ id }) => id === told.run);
    const seconds = secondsOf(told, time);
    return subject === undefined || seconds === null || seconds <= 0
      ? []
      : [{ line: labelOf(subject.fields, paths) || "All runs", replicas: subject.replicas, seconds }];
  });
}

function secondsOf({ epochSeconds, figures }: Told, time: Time): number | null {
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
 * Speed-up and efficiency along each line, over what its fewest replicas need. These are taken to be as fast as so many
 * ought to be, so that the ideal is the number of replicas on every line.
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
      // In proportion as wide as that of the seconds, which is so to the first order, and has an end in any case.
      const half = (mean * (seconds.high - seconds.mean)) / seconds.mean;
      const speedup = { mean, low: mean - half, high: mean + half };
      return { line, replicas, seconds, speedup, efficiency: mean / replicas };
    });
  });
}

/** What a chart draws of a point. */
export function scaled({ replicas, speedup }: ScalingPoint, figure: "speedup" | "efficiency"): Between {
  const by = figure === "speedup" ? 1 : replicas;
  return { mean: speedup.mean / by, low: speedup.low / by, high: speedup.high / by };
}
