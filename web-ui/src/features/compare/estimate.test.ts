import { describe, expect, it } from "vitest";

import { estimate } from "./estimate";

describe("estimate", () => {
  it("is Student's confidence interval", () => {
    const { mean, low, high, count } = estimate([1, 2, 3]);

    expect([mean, count]).toEqual([2, 3]);
    expect(high - mean).toBeCloseTo(4.3027 / Math.sqrt(3), 4);
    expect(mean - low).toBeCloseTo(high - mean, 12);
  });

  it("has no width for one value", () => {
    expect(estimate([5])).toEqual({ mean: 5, low: 5, high: 5, count: 1 });
  });

  it("extrapolates beyond the table", () => {
    const values = Array.from({ length: 61 }, (_, index) => index % 2);
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - 30 / 61) ** 2, 0) / 60);
    const { mean, high } = estimate(values);

    expect(((high - mean) * Math.sqrt(61)) / deviation).toBeCloseTo(2.0003, 2);
  });
});
