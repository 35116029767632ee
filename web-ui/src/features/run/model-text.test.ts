import { describe, expect, it } from "vitest";

import type { Run } from "@/api/schemas";

import { modelText } from "./model-text";

const MODEL = {
  epoch: 4,
  generation: 1,
  replica: null,
  accuracy: 0.975,
  loss: 0.1,
  bytes: 2_000_000,
  digest: "0f0f",
  keptAt: "2026-01-05T09:30:00Z",
};

function run(state: string, keepModel: string, model: object | null = null): Run {
  return { state, configuration: { keepModel }, model } as unknown as Run;
}

describe("modelText", () => {
  it("describes the model", () => {
    const text = modelText(run("COMPLETED", "last", MODEL));

    expect(text).toMatch(/^After epoch 4 · test accuracy 97.5/);
    expect(text).toMatch(/SHA-256 0f0f$/);
    expect(text).not.toContain("rank");
  });

  it("names the replica whose weights it has", () => {
    expect(modelText(run("COMPLETED", "best", { ...MODEL, replica: 2 }))).toContain("weights of rank 2");
  });

  it.each([
    ["RUNNING", "none", /keepModel: none/],
    ["RUNNING", "last", /after the last epoch/],
    ["QUEUED", "best", /best so far/],
    ["COMPLETED", "last", /the log says why/],
    ["CANCELLED", "last", /model: the run ended before it had one/],
    ["CANCELLED", "best", /it was deleted, or the run ended before it had one/],
    ["FAILED", "best", /it was deleted, or the run ended before it had one/],
  ])("says why a run that is %s and keeps %s has none", (state, keepModel, reason) => {
    expect(modelText(run(state, keepModel))).toMatch(reason);
  });
});
