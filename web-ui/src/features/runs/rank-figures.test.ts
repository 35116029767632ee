import { describe, expect, it } from "vitest";

import type { Run } from "@/api/schemas";

import { rankFigures } from "./rank-figures";

type Rank = Run["epochs"][number]["ranks"][number];

describe("rankFigures", () => {
  it("takes the mean of every rank over the epochs", () => {
    const [first] = rankFigures(
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
      measured: { computeSeconds: 3, transferSeconds: 1, waitSeconds: 0, bytesSent: 10 },
    });
  });

  it("knows the shares before the first epoch is done", () => {
    expect(rankFigures(run([])).map(({ part, measured }) => [part, measured])).toEqual([
      [0.25, null],
      [0.75, null],
    ]);
  });
});

function run(epochs: readonly (readonly Rank[])[]): Run {
  return {
    replicas: [
      { rank: 0, workerName: "north", share: 100 },
      { rank: 1, workerName: "south", share: 300 },
    ],
    epochs: epochs.map((ranks) => ({ ranks })),
  } as Run;
}

function rank(number: number, computeSeconds: number): Rank {
  return { rank: number, computeSeconds, transferSeconds: 1, waitSeconds: 0, bytesSent: 10 } as Rank;
}
