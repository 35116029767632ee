import { describe, expect, it } from "vitest";

import { differing, fieldsOf, labelOf } from "./fields";

const ONE = fieldsOf({
  seed: 1,
  training: { batchSize: 10, rates: [1, 2] },
  synchronization: { kind: "bsp" },
  network: { layers: [{ kind: "dense" }] },
});
const OTHER = fieldsOf({
  seed: 2,
  training: { batchSize: 10, rates: [1, 3] },
  synchronization: { kind: "async", bound: 3 },
  network: { layers: [{ kind: "dense" }] },
});

describe("fields", () => {
  it("are plain values by their paths", () => {
    expect([...ONE]).toEqual([
      ["seed", "1"],
      ["training.batchSize", "10"],
      ["training.rates", "1, 2"],
      ["synchronization.kind", "bsp"],
      ["network.layers.0.kind", "dense"],
    ]);
  });

  it("differ if values differ or one is missing", () => {
    expect(differing([ONE, OTHER])).toEqual([
      "seed",
      "training.rates",
      "synchronization.kind",
      "synchronization.bound",
    ]);
    expect(differing([ONE, ONE])).toEqual([]);
  });

  it("give a definition a short name", () => {
    expect(labelOf(OTHER, ["training.batchSize", "synchronization.kind", "gone"])).toBe(
      "batchSize 10, synchronization async, gone –",
    );
  });
});
