import { describe, expect, it } from "vitest";

import { orderText } from "./group-order";

describe("the order of the groups", () => {
  const groups = [{ label: "ring" }, { label: "flat" }, { label: "tree" }, { label: "gossip" }];

  it("names ties, and groups that are not ranked", () => {
    expect(orderText({ figure: "trainingSeconds", ties: [[0, 2], [1]], unranked: [3] }, groups)).toBe(
      "1. ring = tree (tie); 2. flat; not ranked: gossip",
    );
  });

  it("ranks nothing with too few seeds", () => {
    expect(orderText({ figure: "finalAccuracy", ties: [], unranked: [0, 1] }, groups)).toBe("not ranked: ring, flat");
  });
});
