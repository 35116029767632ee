import { describe, expect, it } from "vitest";

import type { Run } from "@/api/schemas";

import { agreement, differences } from "./differences";

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

describe("agreement", () => {
  function ended(
    replicasIdentical: boolean | null,
    distance: { absolute: number; relative: number } | null,
    ...ranks: (typeof DIFFERENCE | null)[]
  ): Run {
    const all = run(1, ranks);
    return { ...all, replicasIdentical, epochs: all.epochs.map((epoch) => ({ ...epoch, distance })) };
  }

  it("tells the greatest distance", () => {
    expect(agreement(ended(false, { absolute: 2e-6, relative: 1e-7 }, null, DIFFERENCE))).toBe(
      ", differ by up to 1.2e-7 of their norm",
    );
    expect(agreement(ended(false, { absolute: 2, relative: 0.5 }, null, null))).toBe(", differ");
    expect(agreement(ended(true, { absolute: 0, relative: 0 }, null, null))).toBe(", identical");
    expect(agreement(ended(null, null))).toBe("");
  });

  it("tells a distance that nobody has measured from one of 0", () => {
    expect(agreement(ended(false, null, null, null))).toBe(", differ, distance not measured");
  });
});
