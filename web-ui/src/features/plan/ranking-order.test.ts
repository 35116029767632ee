import { describe, expect, it } from "vitest";

import { interval, limit, ordered, type Entry } from "./ranking-order";

function entry(label: string, figures: Partial<Entry>): Entry {
  return {
    tie: 1,
    label,
    own: false,
    settings: [],
    method: {
      synchronization: { kind: "bsp" },
      topology: { kind: "all-reduce", algorithm: "ring", order: "by-rank" },
      compression: { kind: "none" },
    },
    partitioning: { kind: "equal" },
    replicas: 2,
    epochSeconds: 1,
    epochSecondsLow: null,
    epochSecondsHigh: null,
    computeSeconds: 0.8,
    exchangeSeconds: 0.2,
    uncertainty: null,
    bytes: null,
    learning: null,
    secondsToTarget: null,
    secondsToTargetLow: null,
    secondsToTargetHigh: null,
    ranks: [],
    batchCounts: [],
    reason: "",
    doubts: [],
    trust: { runs: 0, meanAbsoluteError: null },
    ...figures,
  };
}

describe("the ranking", () => {
  const ranking = [
    entry("a", { epochSeconds: 3, bytes: 10 }),
    entry("b", { epochSeconds: 1 }),
    entry("c", { epochSeconds: 1, bytes: 5, secondsToTarget: 60 }),
  ];

  function labels(...given: Parameters<typeof ordered>): string {
    return ordered(...given)
      .map(({ label, rank }) => `${label}${rank.toString()}`)
      .join(" ");
  }

  it("keeps the order of the service, unless another one is requested", () => {
    expect(labels(ranking, "rank")).toBe("a1 b2 c3");
    expect(labels(ranking, "epoch")).toBe("b2 c3 a1");
  });

  it("puts unknown values last", () => {
    expect(labels(ranking, "bytes")).toBe("c3 a1 b2");
    expect(labels(ranking, "target")).toBe("c3 a1 b2");
  });

  it("has the prediction intervals of the service", () => {
    const known = entry("a", { epochSecondsLow: 2, epochSecondsHigh: 4.5, secondsToTargetLow: 20 });

    expect(interval(known, "epochSeconds")).toEqual([2, 4.5]);
    expect(interval(known, "secondsToTarget")).toBeNull();
  });

  it("has the larger part of an epoch", () => {
    expect(limit(entry("a", {}))).toBe("computing");
    expect(limit(entry("a", { exchangeSeconds: 2 }))).toBe("exchange");
  });
});
