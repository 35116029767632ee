import { describe, expect, it } from "vitest";

import { commonTarget, front } from "./pareto";

describe("the Pareto front", () => {
  const POINTS = [
    { x: 1, y: 9 },
    { x: 3, y: 3 },
    { x: 4, y: 4 },
    { x: 9, y: 1 },
  ];

  it("has the points that no other point beats in both figures", () => {
    expect(front(POINTS, "least", "least")).toEqual([POINTS[0], POINTS[1], POINTS[3]]);
    expect(front(POINTS, "least", "most")).toEqual([POINTS[0]]);
    expect(front(POINTS, "most", "most")).toEqual([POINTS[0], POINTS[2], POINTS[3]]);
  });

  it("has both of two equal points, and no point that is beaten in one figure and equal in the other", () => {
    const twins = [
      { x: 1, y: 1 },
      { x: 1, y: 1 },
      { x: 1, y: 2 },
      { x: 2, y: 1 },
    ];

    expect(front(twins, "least", "least")).toEqual([twins[0], twins[1]]);
  });

  it("is empty without points", () => {
    expect(front([], "least", "least")).toEqual([]);
  });
});

describe("the common target", () => {
  it("is the highest whole percent that the running mean of three evaluations of each run reaches", () => {
    expect(
      commonTarget([
        [0.5, 0.9, 0.9, 0.9],
        [null, 0.6, 0.8, 0.85],
      ]),
    ).toBe(0.75);
  });

  it("ignores runs without an evaluation", () => {
    expect(commonTarget([[null], [0.5]])).toBe(0.5);
    expect(commonTarget([[]])).toBeUndefined();
  });
});
