import { describe, expect, it } from "vitest";

import type { Run } from "@/api/schemas";

import { differences } from "./differences";

const DIFFERENCE = { from: 0, absolute: 3e-6, relative: 1.2e-7 };

function run(generation: number, ...epochs: (typeof DIFFERENCE | null)[][]): Run {
  return {
    generation: 1,
    replicas: [
      { rank: 0, workerName: "north", processor: "Xeon, AVX512_CORE" },
      { rank: 1, workerName: "south", processor: null },
    ],
    epochs: epochs.map((ranks) => ({ ranks: ranks.map((difference, rank) => ({ rank, generation, difference })) })),
  } as Run;
}

describe("differences", () => {
  it("names workers and processors of the last epoch", () => {
    expect(differences(run(1, [null, null], [null, DIFFERENCE]))).toEqual([
      { rank: 1, name: "1 · south", from: "0 · north (Xeon, AVX512_CORE)", absolute: 3e-6, relative: 1.2e-7 },
    ]);
  });

  it("names no worker of another generation", () => {
    expect(differences(run(2, [null, DIFFERENCE]))[0]).toMatchObject({ name: "1", from: "0" });
  });

  it("finds none when the replicas are equal again", () => {
    expect(differences(run(1, [null, DIFFERENCE], [null, null]))).toEqual([]);
    expect(differences(run(1))).toEqual([]);
  });
});
