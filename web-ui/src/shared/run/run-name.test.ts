import { expect, it } from "vitest";

import { runName } from "./run-name";

it("counts the runs of an experiment from 1", () => {
  expect(runName({ experimentName: "digits", position: 0 })).toBe("digits #1");
});
