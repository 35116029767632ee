import { describe, expect, it } from "vitest";

import { ReadSchedule } from "./read-schedule";

describe("a read schedule", () => {
  it("reads changed data at most once per period", () => {
    const schedule = new ReadSchedule(["run"], 0);
    const reads = Array.from({ length: 60 }, (_, second) => {
      schedule.demand("run", 15_000);
      return schedule.take(1_000 * (second + 1)).length;
    });

    expect(reads.reduce((sum, each) => sum + each, 0)).toBe(4);
  });

  it("reads at the earliest demand", () => {
    const schedule = new ReadSchedule(["run"], 0);
    schedule.demand("run", 1_000);
    schedule.demand("run", 15_000);

    expect(schedule.take(999)).toEqual([]);
    expect(schedule.take(1_000)).toEqual(["run"]);
    expect(schedule.take(20_000)).toEqual([]);
  });
});
