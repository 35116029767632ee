import { describe, expect, it } from "vitest";

import type { Run } from "@/api/schemas";

import { rankTimes, stalenessCounts } from "./rank-times";

type Rank = Run["epochs"][number]["ranks"][number];

describe("rankTimes", () => {
  it("takes the mean of every rank over the epochs", () => {
    const [first] = rankTimes(
      run([
        [rank(0, 2), rank(1, 9)],
        [rank(0, 4), rank(1, 9)],
      ]),
    );

    expect(first).toEqual({
      rank: 0,
      workerName: "north",
      samples: 100,
      part: 0.25,
      seconds: { compute: 3, encode: 0.5, transfer: 1, wait: 0, apply: 0.25 },
      hiddenSeconds: 0,
      bytesSent: 10,
    });
  });

  it("ignores epochs of another worker with the same rank", () => {
    const again = { ...run([[rank(0, 8)], [{ ...rank(0, 2), generation: 2 }]]), generation: 2 };

    expect(rankTimes(again)[0]?.seconds?.compute).toBe(2);
  });

  it("has the shares before the end of the first epoch", () => {
    expect(rankTimes(run([])).map(({ part, seconds }) => [part, seconds])).toEqual([
      [0.25, null],
      [0.75, null],
    ]);
  });
});

describe("stalenessCounts", () => {
  it("adds up the counts of all ranks and epochs", () => {
    expect(stalenessCounts(run([[rank(0, 1, [3, 1]), rank(1, 1, [2])], [rank(0, 1, [0, 0, 5])]]))).toEqual([5, 1, 5]);
  });

  it("is empty if updates are never stale", () => {
    expect(stalenessCounts(run([[rank(0, 1)]]))).toEqual([]);
  });
});

function run(epochs: readonly (readonly Rank[])[]): Run {
  return {
    generation: 1,
    replicas: [
      { rank: 0, workerName: "north", share: 100 },
      { rank: 1, workerName: "south", share: 300 },
    ],
    epochs: epochs.map((ranks) => ({ ranks })),
  } as Run;
}

function rank(number: number, computeSeconds: number, staleness: number[] = []): Rank {
  return {
    rank: number,
    generation: 1,
    computeSeconds,
    encodeSeconds: 0.5,
    transferSeconds: 1,
    waitSeconds: 0,
    applySeconds: 0.25,
    hiddenSeconds: 0,
    bytesSent: 10,
    updates: { staleness },
  } as Rank;
}
