import { describe, expect, it } from "vitest";

import type { Worker } from "@/api/schemas";

import { missedBy, unreachable } from "./reachability";

function worker(id: string, rest: Partial<Worker> = {}): Worker {
  return {
    id,
    name: id,
    state: "IDLE",
    cordon: "OPEN",
    host: {
      name: id,
      processors: 8,
      threads: 4,
      memoryBytes: 2 ** 34,
      system: "Linux",
      backend: "oneDNN",
      slowDown: 1,
      processor: null,
      instructionSet: null,
    },
    agentVersion: null,
    labels: {},
    clusterAddress: `${id}:5701`,
    sees: [],
    load: null,
    coolingUntil: null,
    joinedAt: "2026-01-05T08:00:00Z",
    lastSeenAt: "2026-01-05T08:00:00Z",
    dataAddress: `${id}:5702`,
    folders: null,
    formingUntil: null,
    probes: [],
    protocolVersion: "0.2",
    ...rest,
  };
}

function probe(target: string, failure: string | null, address = `${target}:5702`): Worker["probes"][number] {
  return { worker: target, address, failure, at: "2026-01-05T08:00:00Z", failures: 1, next: "2026-01-05T08:10:00Z" };
}

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
