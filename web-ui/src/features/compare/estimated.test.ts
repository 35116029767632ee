import { describe, expect, it } from "vitest";

import { spreadText } from "./estimated";

const seconds = (value: number): string => `${value.toString()} s`;

describe("the spread of an estimate", () => {
  it("is the confidence interval of four seeds or more", () => {
    expect(spreadText({ count: 4, mean: 2, low: 1, high: 3, interval: "confidence", points: [] }, seconds)).toBe(
      "1 s to 3 s",
    );
  });

  it("is the seeds' own values if there are fewer", () => {
    expect(spreadText({ count: 2, mean: 2, low: 1, high: 3, interval: "range", points: [3, 1] }, seconds)).toBe(
      "2 seeds: 3 s, 1 s",
    );
    expect(spreadText({ count: 2, mean: 2, low: 1, high: 3, interval: "range", points: [] }, seconds)).toBe(
      "2 seeds: 1 s to 3 s",
    );
  });

  it("is unknown for one seed", () => {
    expect(
      spreadText({ count: 1, mean: 2, low: null, high: null, interval: "none", points: [2] }, seconds),
    ).toBeUndefined();
  });
});
