import { describe, expect, it } from "vitest";

import type { Run } from "@/api/schemas";

import { phaseRows, RUN_PHASES } from "./run-phases";

const PHASES = {
  rendezvousSeconds: 1,
  dataSeconds: 2,
  warmUpSeconds: 3,
  restoreSeconds: 4,
  calibrationSeconds: 5,
  trainingSeconds: 6,
  evaluationSeconds: 7,
  checkpointSeconds: 8,
  coordinationSeconds: 9,
};

function run(generation: number): Run {
  return {
    generation,
    times: {
      elapsedSeconds: 45,
      phases: PHASES,
      ranks: [{ generation, rank: 1, elapsedSeconds: 45, phases: PHASES }],
    },
  } as Run;
}

describe("phaseRows", () => {
  it("has the run before its ranks", () => {
    expect(phaseRows(run(1)).map(({ name }) => name)).toEqual(["run", "rank 1"]);
  });

  it("names generations if there are several", () => {
    expect(phaseRows(run(2)).map(({ name }) => name)).toEqual(["run", "generation 2, rank 1"]);
  });

  it("is empty before the first report", () => {
    expect(phaseRows({ ...run(1), times: null })).toEqual([]);
  });
});

describe("RUN_PHASES", () => {
  it("shows every phase, so that the shown times sum to the elapsed time", () => {
    const [first] = phaseRows(run(1));

    expect(RUN_PHASES.reduce((sum, [phase]) => sum + (first?.phases[phase] ?? 0), 0)).toBe(first?.elapsedSeconds);
  });
});
