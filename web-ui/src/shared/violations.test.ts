import { describe, expect, it } from "vitest";

import { ServiceProblem } from "@/api/problem";

import { violationAt } from "./violations";

describe("violationAt", () => {
  const rejection = new ServiceProblem(400, "Rejected", "invalid-request", [
    { pointer: "/expiresAt", rule: "must be in the future", value: "2020-01-01T00:00:00Z" },
  ]);

  it("returns the rule of a field as a sentence", () => {
    expect(violationAt(rejection, "/expiresAt")).toBe("Must be in the future.");
  });

  it("returns nothing for other fields and other errors", () => {
    expect(violationAt(rejection, "/name")).toBeUndefined();
    expect(violationAt(new Error("broken"), "/name")).toBeUndefined();
    expect(violationAt(null, "/name")).toBeUndefined();
  });
});
