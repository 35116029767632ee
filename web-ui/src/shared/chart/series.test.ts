import { describe, expect, it } from "vitest";

import { drawable, smoothed, tableOf, type Series } from "./series";

const AXES = { xLabel: "seconds", yLabel: "loss" };
const LINE: Series = { key: "a", label: "a, b", color: "red", x: [0, 1, 10], y: [2, null, -1] };

describe("series", () => {
  it("omits points that a logarithmic axis cannot show", () => {
    expect(drawable(LINE, { ...AXES, isLogX: true })).toMatchObject({ x: [1, 10], y: [null, -1] });
    expect(drawable(LINE, { ...AXES, isLogY: true })).toMatchObject({ x: [0, 1], y: [2, null] });
    expect(drawable(LINE, AXES)).toBe(LINE);
  });

  it("keeps bands positive on a logarithmic axis", () => {
    const banded = { ...LINE, x: [1, 2], y: [2, 3], band: { low: [-1, 1], high: [4, 4] } };

    expect(drawable(banded, { ...AXES, isLogY: true }).band).toEqual({ low: [2, 1], high: [4, 4] });
  });

  it("becomes a table with a row for each point, without raw values", () => {
    expect(tableOf([LINE, { ...LINE, rawOf: "a" }], AXES)).toEqual([
      ["series", "seconds", "loss", "low", "high"],
      ["a, b", 0, 2, undefined, undefined],
      ["a, b", 1, null, undefined, undefined],
      ["a, b", 10, -1, undefined, undefined],
    ]);
  });
});

describe("the table of a line with gaps", () => {
  it("has no rows for them", () => {
    expect(tableOf([{ ...LINE, hasGaps: true }], AXES).map(([, x]) => x)).toEqual(["seconds", 0, 10]);
  });
});

describe("smoothed", () => {
  it("is unbiased from its first value on, and skips gaps", () => {
    const [first, gap, third] = smoothed([4, null, 1], 0.5);

    expect(first).toBe(4);
    expect(gap).toBeNull();
    expect(third).toBeCloseTo((0.5 * 0.5 * 4 + 0.5 * 1) / 0.75, 12);
  });

  it("returns the values unchanged for weight 0", () => {
    expect(smoothed([3, 1], 0)).toEqual([3, 1]);
  });

  it("keeps a constant value", () => {
    expect(smoothed([2, 2, 2], 0.9)).toEqual([2, 2, expect.closeTo(2, 12)]);
  });
});
