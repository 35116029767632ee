import { expect, it } from "vitest";

import { noFigures, noMetrics, noWorkers } from "./absence";

it("is temporary until the run has ended", () => {
  expect(noFigures({ state: "RUNNING" })).toBe("Figures appear after the first epoch.");
  expect(noMetrics({ state: "RUNNING" })).toBe("There are no metrics yet.");
  expect(noWorkers({ state: "QUEUED" })).toBe("The run has no workers yet.");
});

it("is final for a run that has ended", () => {
  expect(noFigures({ state: "FAILED" })).toBe("No epoch was completed.");
  expect(noMetrics({ state: "CANCELLED" })).toBe("Nothing was measured.");
  expect(noWorkers({ state: "CANCELLED" })).toBe("The run had no workers.");
});
