import { describe, expect, it } from "vitest";

import type { Run } from "@/api/schemas";

import { exchange, partnersOf, places } from "./topology";

type Topology = Run["configuration"]["topology"];

const EQUAL = { kind: "equal" } as Run["configuration"]["partitioning"];

function partners(
  topology: Topology,
  ranks: number,
  hosts: readonly string[] = [],
): readonly (readonly number[])[] | null {
  const { edges } = exchange({ topology, partitioning: EQUAL }, ranks, hosts);
  return edges && Array.from({ length: ranks }, (_, rank) => partnersOf(edges, rank));
}

function allReduce(algorithm: Extract<Topology, { kind: "all-reduce" }>["algorithm"]): Topology {
  return { kind: "all-reduce", algorithm, order: "by-rank" };
}

function gossip(schedule: Extract<Topology, { kind: "gossip" }>["schedule"]): Topology {
  return { kind: "gossip", schedule, mixing: "uniform", payload: "weights", globalAverageEvery: 0 };
}

describe("exchange partners", () => {
  it("are the next and the previous rank in a ring", () => {
    expect(partners(allReduce("ring"), 4)).toEqual([
      [1, 3],
      [0, 2],
      [1, 3],
      [0, 2],
    ]);
  });

  it("are parent and children in a binomial tree", () => {
    expect(partners(allReduce("tree"), 6)).toEqual([[1, 2, 4], [0], [0, 3], [2], [0, 5], [4]]);
  });

  it("are at distances of powers of two, with other ranks folded", () => {
    expect(partners(allReduce("halving-doubling"), 5)).toEqual([[1, 2, 4], [0, 3], [0, 3], [1, 2], [0]]);
  });

  it("are rank 0 alone in the flat all-reduce", () => {
    expect(partners(allReduce("flat"), 3)).toEqual([[1, 2], [0], [0]]);
  });

  it("are the ranks on the same host, and their counterparts on other hosts", () => {
    expect(partners(allReduce("hierarchical"), 4, ["a", "b", "a", "b"])).toEqual([
      [1, 2],
      [0, 3],
      [0, 3],
      [1, 2],
    ]);
    expect(partners(allReduce("hierarchical"), 4, ["a"])).toBeNull();
  });

  it("are each server and each other rank", () => {
    const topology: Topology = { kind: "parameter-server", servers: 2, aggregate: "mean", perLayer: false };
    expect(partners(topology, 4)).toEqual([
      [2, 3],
      [2, 3],
      [0, 1],
      [0, 1],
    ]);
  });

  it("are at the distances of gossip", () => {
    expect(partners(gossip({ kind: "fixed", distance: 2 }), 5)).toEqual([
      [2, 3],
      [3, 4],
      [0, 4],
      [0, 1],
      [1, 2],
    ]);
    expect(partners(gossip({ kind: "dissemination" }), 8)?.[0]).toEqual([1, 2, 4, 6, 7]);
    expect(partners(gossip({ kind: "linear", literalPairing: false }), 4)?.[0]).toEqual([1, 2, 3]);
  });

  it("are unknown if they are drawn or computed during the run", () => {
    expect(partners(gossip({ kind: "random-matching" }), 4)).toBeNull();
    expect(partners(allReduce("auto"), 4)).toBeNull();
    expect(partners({ kind: "all-reduce", algorithm: "ring", order: "by-link" }, 4)).toBeNull();
  });

  it("are empty for a single rank", () => {
    expect(partners(allReduce("ring"), 1)).toEqual([[]]);
  });
});

it("puts servers above the others", () => {
  expect(places({ layout: "layers", servers: [0] }, 3)).toEqual([
    { x: 0, y: -1 },
    { x: -0.5, y: 1 },
    { x: 0.5, y: 1 },
  ]);
});
