import { describe, expect, it } from "vitest";

import { differing, labelOf, type Fields } from "./fields";

const ONE: Fields = new Map([
  ["seed", "1"],
  ["training.batchSize", "10"],
  ["synchronization.kind", "bsp"],
]);
const OTHER: Fields = new Map([
  ["seed", "2"],
  ["training.batchSize", "10"],
  ["synchronization.kind", "async"],
  ["synchronization.bound", "3"],
]);

describe("fields", () => {
  it("differ if values differ or one is missing", () => {
    expect(differing([ONE, OTHER])).toEqual(["seed", "synchronization.kind", "synchronization.bound"]);
    expect(differing([ONE, ONE])).toEqual([]);
  });

  it("give a definition a short name", () => {
    expect(labelOf(OTHER, ["training.batchSize", "synchronization.kind", "gone"])).toBe(
      "batchSize 10, synchronization async, gone –",
    );
  });
});
