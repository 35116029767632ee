import { describe, expect, it } from "vitest";

import { NONE, ago, memory, percent, seconds, sentenceCase, signedPercent, ticks, traffic } from "./format";

describe("format", () => {
  it("shows times with about three digits", () => {
    expect([0.0421, 4.5, 42.04, 1234.5].map(seconds)).toEqual(["0.042 s", "4.50 s", "42.0 s", "1,235 s"]);
  });

  it("shows a dash for unknown values", () => {
    expect([seconds(null), percent(undefined), signedPercent(null), traffic(null), memory(null), ago(null, 0)]).toEqual(
      Array(6).fill(NONE),
    );
  });

  it("gives axis labels enough digits to differ", () => {
    expect(ticks([0, 0.5, 1])).toEqual(["0", "0.5", "1"]);
    expect(ticks([36_800_100, 36_800_200, 36_800_300])).toEqual(["36.8001M", "36.8002M", "36.8003M"]);
    expect(ticks([0.0001, null, 0.0002])).toEqual(["1.0e-4", "", "2.0e-4"]);
    expect(ticks([])).toEqual([]);
  });

  it("signs errors", () => {
    expect([-0.046, 0, 0.1].map(signedPercent)).toEqual(["−4.6 %", "+0.0 %", "+10.0 %"]);
  });

  it("counts traffic in thousands and memory in powers of two", () => {
    expect([999, 1_000, 12_400_000].map(traffic)).toEqual(["999 B", "1.0 kB", "12.4 MB"]);
    expect(memory(16 * 2 ** 30)).toBe("16.0 GiB");
  });

  it("shows elapsed time, whatever the clock of the service", () => {
    const now = Date.parse("2026-01-05T12:00:00Z");
    expect(
      [
        "2026-01-05T12:00:09Z",
        "2026-01-05T11:59:30Z",
        "2026-01-05T11:30:00Z",
        "2026-01-05T02:00:00Z",
        "2026-01-01T12:00:00Z",
      ].map((at) => ago(at, now)),
    ).toEqual(["just now", "30 s ago", "30 min ago", "10 h ago", "4 d ago"]);
  });

  it("writes states in sentence case", () => {
    expect(sentenceCase("RUNNING")).toBe("Running");
  });
});
