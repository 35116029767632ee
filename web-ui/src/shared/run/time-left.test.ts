import { describe, expect, it } from "vitest";

import type { RunSummary } from "@/api/schemas";

import { secondsLeft } from "./time-left";

const HALF: RunSummary["progress"] = { epoch: 2, epochs: 4, round: 0, rounds: 10, fraction: 0.5 };

describe("secondsLeft", () => {
  it("follows from the epochs so far", () => {
    expect(secondsLeft({ state: "RUNNING", progress: HALF, epochSeconds: 10, prediction: null })).toBe(20);
  });

  it("follows from the prediction during the first epoch", () => {
    const prediction = { epochSeconds: 5 } as RunSummary["prediction"];

    expect(secondsLeft({ state: "RUNNING", progress: HALF, epochSeconds: null, prediction })).toBe(10);
  });

  it("is unknown without both, and for a run that does not train", () => {
    expect(secondsLeft({ state: "RUNNING", progress: HALF, epochSeconds: null, prediction: null })).toBeUndefined();
    expect(secondsLeft({ state: "COMPLETED", progress: HALF, epochSeconds: 10, prediction: null })).toBeUndefined();
  });
});
