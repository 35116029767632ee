import { describe, expect, it } from "vitest";

import type { Worker } from "@/api/schemas";

import { arrival } from "./arrivals";
import { probe, worker } from "./testing-workers";

const NEWCOMER = worker("new", { sees: ["new"] });

function prober(id: string, failure: string | null): Worker {
  return worker(id, { sees: ["new", id], probes: [probe("new", failure)] });
}

function seeing(...all: readonly Worker[]): Worker {
  return { ...NEWCOMER, sees: ["new", ...all.map(({ id }) => id)] };
}

describe("arrival", () => {
  it("waits for the first heartbeat", () => {
    expect(arrival({ ...NEWCOMER, state: "JOINING" }, []).progress).toBe("registered; waiting for its first heartbeat");
  });

  it("needs no other worker", () => {
    expect(arrival(NEWCOMER, [NEWCOMER])).toMatchObject({
      progress: "joined; there is no other worker that could reach it",
      failures: [],
    });
  });

  it("counts the workers that have reached it", () => {
    const others = [prober("a", null), worker("b", { sees: ["new", "b"] })];

    expect(arrival(seeing(...others), others).progress).toBe("joined; reached by 1 of 2 workers");
  });

  it.each([
    ["connection timed out", "--data-port between the machines"],
    ["connection refused", "not a loopback address"],
    ["connected, but no agent answers there", "choose another --data-port"],
    ["the name has no address", "an IP address as --host"],
    ["something else", "Check --host and --data-port"],
  ])("tells what to change after: %s", (failure, advice) => {
    const other = prober("a", failure);
    const { failures } = arrival(seeing(other), [other, seeing(other)]);

    expect(failures).toHaveLength(1);
    expect(failures[0]?.sentence).toContain(failure);
    expect(failures[0]?.advice).toContain(advice);
  });

  it("tells that workers do not see each other once their time to join the cluster has passed", () => {
    const other = prober("a", null);

    expect(arrival({ ...NEWCOMER, formingUntil: NEWCOMER.joinedAt }, [other]).failures).toEqual([]);
    expect(arrival(NEWCOMER, [other]).failures[0]?.advice).toBe("Open the port of --port between the machines.");
  });

  it("tells that the worker is gone", () => {
    expect(arrival({ ...NEWCOMER, state: "LOST" }, []).progress).toBe("joined, and is lost now");
  });
});
