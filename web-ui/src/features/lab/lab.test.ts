import { describe, expect, it } from "vitest";

import { auditSearch } from "./audit-search";
import { agentCommand, detailText, quotaForm, quotaRequest, usageRows, words } from "./lab";

const QUOTA = { replicasAtOnce: 8, queuedRuns: 0, workerMinutesAWeek: null, storedBytes: 1_000_000 };

describe("usageRows", () => {
  const rows = usageRows({
    quota: QUOTA,
    replicasAtOnce: 2,
    queuedRuns: 0,
    workerMinutesAWeek: 12.34,
    storedBytes: 3_000_000,
  });

  it("shows the usage of each limit, which may have been lowered below it", () => {
    expect(rows.map(({ text, fraction }) => [text, fraction])).toEqual([
      ["2 of 8, 25.0 %", 0.25],
      ["0 of 0", 1],
      ["12.3, no limit", null],
      ["3.0 MB of 1.0 MB, 300.0 %", 1],
    ]);
  });
});

describe("quotaRequest", () => {
  it("restores the quota of the form", () => {
    expect(quotaRequest(quotaForm(QUOTA))).toEqual(QUOTA);
  });

  it("takes an empty field for no limit, and 0 for a limit", () => {
    const request = quotaRequest({ ...quotaForm(QUOTA), replicasAtOnce: "", storedBytes: 0 });

    expect(request.replicasAtOnce).toBeNull();
    expect(request.storedBytes).toBe(0);
  });
});

describe("the audit", () => {
  it("shows codes as words", () => {
    expect(words("join-token-created")).toBe("join token created");
    expect(detailText({ role: "editor", runs: 3, project: null })).toBe("role: editor, runs: 3");
    expect(detailText({})).toBe("–");
  });

  it("begins at the cursor in the address", () => {
    expect(auditSearch({ older: "17" })).toEqual({ older: "17" });
    expect(auditSearch({ older: 17 })).toEqual({});
  });
});

describe("agentCommand", () => {
  it("starts an agent with its name", () => {
    expect(agentCommand("eqj_1", "http://lab:8080", "gpu-box")).toBe(
      "EQUIPOISE_JOIN_TOKEN=eqj_1 ./equipoise agent --service http://lab:8080 --host ADDRESS --name gpu-box",
    );
  });

  it("quotes a name that a shell would split, and omits an empty one", () => {
    expect(agentCommand("eqj_1", "http://lab", "Ann's $box")).toContain(` --name 'Ann'\\''s $box'`);
    expect(agentCommand("eqj_1", "http://lab", "")).not.toContain("--name");
  });
});
