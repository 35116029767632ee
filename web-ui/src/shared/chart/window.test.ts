import { describe, expect, it } from "vitest";

import { zoomed, type Window } from "./window";

const WHOLE: Window = [0, 100];

describe("a window over an axis", () => {
  it("halves and doubles around its center", () => {
    expect(zoomed([20, 60], WHOLE, "closer")).toEqual([30, 50]);
    expect(zoomed([30, 50], WHOLE, "farther")).toEqual([20, 60]);
  });

  it("moves by half its width to either side", () => {
    expect(zoomed([20, 40], WHOLE, "later")).toEqual([30, 50]);
    expect(zoomed([20, 40], WHOLE, "earlier")).toEqual([10, 30]);
  });

  it("never leaves the whole axis", () => {
    expect(zoomed([0, 40], WHOLE, "earlier")).toEqual([0, 40]);
    expect(zoomed([80, 100], WHOLE, "later")).toEqual([80, 100]);
    expect(zoomed([70, 100], WHOLE, "farther")).toEqual([40, 100]);
    expect(zoomed([10, 90], WHOLE, "farther")).toEqual(WHOLE);
  });

  it("zooms no closer than axis labels can distinguish", () => {
    let view = WHOLE;
    for (let step = 0; step < 100; step++) {
      view = zoomed(view, WHOLE, "closer");
    }

    expect(view[1] - view[0]).toBeCloseTo(0.01, 12);
  });

  it("shows all again", () => {
    expect(zoomed([3, 4], WHOLE, "all")).toEqual(WHOLE);
  });

  it("zooms in powers along a logarithmic axis", () => {
    expect(zoomed([1, 10_000], [1, 10_000], "closer", true)).toEqual([10, 1_000]);
  });
});
