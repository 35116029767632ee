import { describe, expect, it } from "vitest";

import type { Run } from "@/api/schemas";

import { bestReplica } from "./best-replica";

function run(...epochs: (number | null)[][]): Run {
  return {
    epochs: epochs.map((accuracies) => ({ ranks: accuracies.map((ownAccuracy, rank) => ({ rank, ownAccuracy })) })),
  } as Run;
}

describe("bestReplica", () => {
  it("takes the highest accuracy of the last evaluation of replicas", () => {
    expect(bestReplica(run([0.99, 0.5, 0.5], [0.9, 0.95, 0.92], [null, null, null]))).toEqual({
      rank: 1,
      accuracy: 0.95,
    });
  });

  it("takes the first of equal replicas and skips servers", () => {
    expect(bestReplica(run([null, 0.5, 0.5]))).toEqual({ rank: 1, accuracy: 0.5 });
  });

  it("finds none without an evaluation of replicas", () => {
    expect(bestReplica(run([null, null]))).toBeNull();
  });
});
