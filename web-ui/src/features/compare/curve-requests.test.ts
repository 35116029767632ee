import { describe, expect, it } from "vitest";

import { curveRequests, metricNames, ranksOf } from "./curve-requests";

const METRICS = new Map([
  [
    "a",
    [
      { name: "train/loss", rank: 0 },
      { name: "train/loss", rank: 1 },
      { name: "test/loss", rank: null },
    ],
  ],
  ["b", [{ name: "train/loss", rank: 0 }]],
  ["c", []],
]);

describe("curves", () => {
  it("are requested for the runs that have them, with a bucket for each pixel", () => {
    expect(curveRequests(METRICS, "train/loss", undefined, 632)).toEqual([{ run: ["a", "b"], buckets: 700 }]);
    expect(curveRequests(METRICS, "train/loss", 1, 632)).toEqual([{ run: ["a"], rank: [1], buckets: 700 }]);
    expect(curveRequests(METRICS, "gone", undefined, 632)).toEqual([]);
  });

  it("ignore the rank for metrics of the whole run", () => {
    expect(curveRequests(METRICS, "test/loss", 1, 632)).toEqual([{ run: ["a"], buckets: 700 }]);
  });

  it("are requested for 20 runs at once, with larger buckets for many curves", () => {
    const many = new Map(
      Array.from(
        { length: 45 },
        (_, run) => [run.toString(), Array.from({ length: 8 }, (_, rank) => ({ name: "train/loss", rank }))] as const,
      ),
    );
    const requests = curveRequests(many, "train/loss", undefined, 900);

    expect(requests.map(({ run }) => run.length)).toEqual([20, 20, 5]);
    expect(requests.map(({ buckets }) => buckets)).toEqual([125, 125, 500]);
  });

  it("have names and ranks", () => {
    expect(metricNames(METRICS)).toEqual({ all: ["train/loss", "test/loss"], ofRanks: new Set(["train/loss"]) });
    expect(ranksOf(METRICS)).toEqual([0, 1]);
  });
});
