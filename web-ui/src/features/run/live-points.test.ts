import { describe, expect, it } from "vitest";

import type { Schemas } from "@/api/schemas";

import { curveKey, lineOf, MAX_POINTS, withPoints, type LivePoint, type LivePoints } from "./live-points";

const NAME = "train/loss";
const NONE: LivePoints = new Map();

function event(rank: number, ...steps: number[]): Schemas["RunEvent.Metrics"] {
  const seconds = steps.map((step) => step / 10);
  return { type: "metrics", rank, name: NAME, every: 1, steps, seconds, values: steps.map((step) => 1 / step) };
}

function stepsOf(points: LivePoints, rank = 0): number[] | undefined {
  return points.get(curveKey(NAME, rank))?.map(({ step }) => step);
}

describe("streamed points", () => {
  it("are appended to the curve of their rank", () => {
    const points = [event(0, 1, 2), event(1, 2), event(0, 3)].reduce(withPoints, NONE);

    expect(stepsOf(points, 0)).toEqual([1, 2, 3]);
    expect(stepsOf(points, 1)).toEqual([2]);
  });

  it("are taken once if an event is repeated", () => {
    const points = [event(0, 1, 2), event(0, 1, 2), event(0, 2, 3)].reduce(withPoints, NONE);

    expect(stepsOf(points)).toEqual([1, 2, 3]);
  });

  it("are thinned if there are many, and keep the last one", () => {
    const events = Array.from({ length: 10_000 }, (_, at) => event(0, at + 1));

    const steps = stepsOf(events.reduce(withPoints, NONE)) ?? [];

    expect(steps.length).toBeGreaterThanOrEqual(MAX_POINTS / 2);
    expect(steps.length).toBeLessThanOrEqual(MAX_POINTS);
    expect(steps.at(-1)).toBe(10_000);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
  });

  it("of many ranks are kept apart", () => {
    const ranks = Array.from({ length: 64 }, (_, rank) => rank);

    const points = ranks.map((rank) => event(rank, rank + 1)).reduce(withPoints, NONE);

    expect(ranks.map((rank) => stepsOf(points, rank))).toEqual(ranks.map((rank) => [rank + 1]));
  });
});

describe("the line of a live curve", () => {
  const buckets = [
    { lastX: 1, last: 9 },
    { lastX: 2, last: 8 },
  ];

  function point(step: number): LivePoint {
    return { step, seconds: step / 10, value: 10 - step };
  }

  it("continues what was read, without repeated points", () => {
    const line = lineOf(buckets, [point(1), point(2), point(3), point(4)], "step", 10);

    expect(line).toEqual({ x: [1, 2, 3, 4], y: [9, 8, 7, 6] });
  });

  it("has the positions of its axis", () => {
    expect(lineOf([], [point(5)], "epoch", 10).x).toEqual([0.5]);
    expect(lineOf([], [point(5)], "seconds", 10).x).toEqual([0.5]);
  });

  it("ends with the last whole epoch over samples and bytes", () => {
    expect(lineOf(buckets, [point(5)], "samples", 10).x).toEqual([1, 2]);
    expect(lineOf(buckets, [point(5)], "bytes", 10).x).toEqual([1, 2]);
  });
});
