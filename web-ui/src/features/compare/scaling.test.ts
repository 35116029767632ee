import { describe, expect, it } from "vitest";

import type { Schemas } from "@/api/schemas";

import { fieldsOf } from "./fields";
import { measuredOf, scaled, scaling } from "./scaling";
import type { Subject } from "./subjects";

function subject(id: string, replicas: number, seed: number, kind: string): Subject {
  return {
    id,
    name: id,
    state: "COMPLETED",
    replicas,
    fields: fieldsOf({ seed, workers: { replicas }, topology: { kind } }),
  };
}

function compared(run: string, epochSeconds: number | null): Parameters<typeof measuredOf>[0][number] {
  return { run, epochSeconds, figures: { trainingSeconds: 100, secondsToTarget: null } as Schemas["Figures"] };
}

const SUBJECTS = [
  subject("a", 1, 1, "ring"),
  subject("b", 2, 1, "ring"),
  subject("c", 2, 2, "ring"),
  subject("d", 2, 1, "gossip"),
];

describe("the measured times", () => {
  const RUNS = [compared("a", 8), compared("b", 5), compared("c", 4), compared("d", null)];

  it("are on one line if only replicas and seed differ", () => {
    expect(measuredOf(RUNS, SUBJECTS, "epoch", undefined)).toEqual([
      { line: "topology ring", replicas: 1, seconds: 8 },
      { line: "topology ring", replicas: 2, seconds: 5 },
      { line: "topology ring", replicas: 2, seconds: 4 },
    ]);
  });

  it("are on one line if a field is equal", () => {
    const lines = measuredOf(RUNS, SUBJECTS, "training", "seed").map(({ line }) => line);

    expect(lines).toEqual(["seed 1", "seed 1", "seed 2", "seed 1"]);
    expect(measuredOf(RUNS, SUBJECTS, "target", undefined)).toEqual([]);
  });
});

describe("scaling", () => {
  it("is relative to the fewest replicas of a line, over the mean of its seeds", () => {
    const points = scaling([
      { line: "ring", replicas: 4, seconds: 5 },
      { line: "ring", replicas: 2, seconds: 8 },
      { line: "ring", replicas: 4, seconds: 3 },
    ]);

    expect(points.map(({ replicas, speedup, efficiency }) => [replicas, speedup.mean, efficiency])).toEqual([
      [2, 2, 1],
      [4, 4, 1],
    ]);
    expect(points[1]?.speedup.low).toBeLessThan(4);
    expect(points[0]?.speedup.low).toBe(2);
  });

  it("is shown as speedup or as efficiency", () => {
    const [, point] = scaling([
      { line: "ring", replicas: 1, seconds: 9 },
      { line: "ring", replicas: 3, seconds: 6 },
    ]);

    expect(point && scaled(point, "speedup").mean).toBeCloseTo(1.5, 12);
    expect(point && scaled(point, "efficiency").mean).toBeCloseTo(0.5, 12);
  });
});
