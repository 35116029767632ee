import { describe, expect, it } from "vitest";

import { quotaForm, quotaRequest, usageRows } from "./quotas";

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
