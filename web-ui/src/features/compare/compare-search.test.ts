import { describe, expect, it } from "vitest";

import { compareSearch } from "./compare-search";

describe("the address of a comparison", () => {
  it("contains the whole view", () => {
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

  it("ignores invalid values", () => {
    expect(compareSearch({ runs: [1, ""], tab: "x", smooth: 1, target: 2, rank: -1, logY: "yes" })).toEqual({});
  });

  it("has at most as many runs as the service compares, each once", () => {
    const runs = Array.from({ length: 150 }, (_, index) => index.toString());

    expect(compareSearch({ runs: [...runs.slice(0, 3), ...runs] }).runs).toEqual(runs.slice(0, 100));
  });
});
