import { describe, expect, it } from "vitest";

import { compareSearch } from "./compare-search";

describe("the address of a comparison", () => {
  it("says all of the view", () => {
    const view = {
      runs: ["a", "b"],
      tab: "scaling",
      metrics: ["train/loss"],
      x: "bytes",
      smooth: 0.5,
      logX: true,
      group: "seed",
      target: 0.9,
      time: "target",
    };

    expect(compareSearch(view)).toEqual(view);
  });

  it("passes over what it cannot mean", () => {
    expect(compareSearch({ runs: [1, ""], tab: "x", smooth: 1, target: 2, rank: -1, logY: "yes" })).toEqual({});
  });

  it("has no more runs than the service compares, each once", () => {
    const runs = Array.from({ length: 150 }, (_, index) => index.toString());

    expect(compareSearch({ runs: [...runs.slice(0, 3), ...runs] }).runs).toEqual(runs.slice(0, 100));
  });
});
