import { describe, expect, it } from "vitest";

import { missedBy, unreachable } from "./reachability";
import { probe, worker } from "./testing-workers";

describe("the reachability of a worker", () => {
  const north = worker("north", { probes: [probe("south", "connection timed out"), probe("east", null)] });
  const south = worker("south", { probes: [probe("north", "connection refused")] });
  const east = worker("east");

  it("names both workers, the address and the reason", () => {
    expect(unreachable(north, [north, south, east])).toEqual([
      "north cannot be reached by south at north:5702: connection refused.",
      "south cannot be reached by north at south:5702: connection timed out.",
    ]);
    expect(unreachable(east, [north, south, east])).toEqual([]);
  });

  it("tells a worker that others miss from one that misses others", () => {
    expect(missedBy(south, [{ ...north, dataAddress: "moved:1" }, south])).toHaveLength(1);
    expect(missedBy(north, [north, { ...south, probes: [] }])).toEqual([]);
    expect(missedBy({ ...south, state: "LEFT" }, [north])).toEqual([]);
  });

  it("leaves out workers that are gone, and former addresses", () => {
    expect(unreachable(north, [north, { ...south, state: "LOST" }])).toEqual([]);
    expect(unreachable({ ...north, dataAddress: "moved:1", probes: [] }, [north, south])).toEqual([]);
  });
});
