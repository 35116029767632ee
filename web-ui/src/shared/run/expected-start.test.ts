import { describe, expect, it } from "vitest";

import { moment } from "@/shared/format";

import { expectedStart } from "./expected-start";

function waitingFor(code: string, predictedStart: string | null = null): string {
  return expectedStart({ waiting: { code, message: "" }, predictedStart });
}

describe("the expected start of a queued run", () => {
  it("is the predicted one", () => {
    const at = "2026-01-05T10:00:00Z";
    expect(waitingFor("workers-busy", at)).toBe(moment(at));
  });

  it("has a reason if there is none", () => {
    expect(waitingFor("unsatisfiable")).toBe("never with the workers of the lab");
    expect(waitingFor("unreachable-workers")).toBe("not before its workers reach one another");
    expect(waitingFor("workers-busy")).toBe("unknown, as a run before it may take any time");
    expect(expectedStart({ waiting: null, predictedStart: null })).toContain("unknown");
  });
});
