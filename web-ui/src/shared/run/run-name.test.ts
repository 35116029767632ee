import { expect, it } from "vitest";

import { runName, runNumber } from "./run-name";

it("is the name that the service gives", () => {
  expect(runName({ name: "methods: bsp, seed 1" })).toBe("methods: bsp, seed 1");
});

it("counts the runs of an experiment from 1", () => {
  expect(runNumber({ position: 0 })).toBe("1");
});
