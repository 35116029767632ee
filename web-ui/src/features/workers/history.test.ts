import { describe, expect, it } from "vitest";

import type { Schemas } from "@/api/schemas";

import { historyLine, segments, SPAN_LOOKS, stateShares } from "./history";

const TO = "2026-01-05T12:00:00Z";

function point(at: string, mean: number): Schemas["HistoryPoint"] {
  return { at, mean, least: mean / 2, greatest: mean * 2 };
}

describe("historyLine", () => {
  it("places points before the end, which is 0", () => {
    const points = [point("2026-01-05T06:00:00Z", 8), point("2026-01-05T07:00:00Z", 4)];

    expect(historyLine(points, TO, SPAN_LOOKS.day, 2)).toEqual({
      x: [-6, -5],
      y: [4, 2],
      band: { low: [2, 1], high: [8, 4] },
    });
  });

  it("breaks where the worker was away", () => {
    const points = [point("2026-01-05T02:00:00Z", 8), point("2026-01-05T10:00:00Z", 4)];

    expect(historyLine(points, TO, SPAN_LOOKS.day, 1)).toMatchObject({ x: [-10, -6, -2], y: [8, null, 4] });
  });
});

describe("segments", () => {
  const interval = { cordon: "OPEN", state: "IDLE" } as const;
  const history: Schemas["WorkerHistory"] = {
    from: "2026-01-05T02:00:00Z",
    to: TO,
    load: [],
    memory: [],
    states: [
      { ...interval, from: "2026-01-05T04:00:00Z", to: "2026-01-05T05:00:00Z" },
      { from: "2026-01-05T05:00:00Z", to: "2026-01-05T10:00:00Z", state: "BUSY", cordon: "CORDONED" },
      { ...interval, from: "2026-01-05T10:00:00Z", to: TO },
    ],
  };

  it("have their place and length in percent", () => {
    expect(segments(history).map(({ name, left, width }) => [name, left, width])).toEqual([
      ["Idle", 20, 10],
      ["Busy, cordoned", 30, 50],
      ["Idle", 80, 20],
    ]);
  });

  it("are summed by state, the longest first", () => {
    expect(stateShares(segments(history))).toMatch(/^Busy, cordoned 50.* %, Idle 30.* %$/);
  });
});
