import type { Run } from "@/api/schemas";

/** Two ranks that exchange; `isOneWay` if only the second one receives. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly isOneWay: boolean;
}

/** Exchange partners, as far as the definition determines them. */
export interface Exchange {
  /** Null if they are not known before the run, or not reported. */
  readonly edges: readonly Edge[] | null;
  readonly layout: "circle" | "layers";
  /** The ranks of the upper layer. */
  readonly servers: readonly number[];
  readonly note: string;
}

type Configuration = Pick<Run["configuration"], "topology" | "partitioning">;

/**
 * Returns the exchange graph of a resolved definition over ranks 0 to `ranks - 1`.
 *
 * @param hosts host name of each rank, if known
 */
export function exchange(
  { topology, partitioning }: Configuration,
  ranks: number,
  hosts: readonly (string | undefined)[],
): Exchange {
  if (ranks < 2) {
    return { ...NOTHING, edges: [], note: "A single rank has no partner." };
  }
  if (partitioning.kind === "hybrid") {
    return {
      ...NOTHING,
      note: "The ranks of a group share hidden units. The service does not report their partners.",
    };
  }
  switch (topology.kind) {
    case "all-reduce":
      return topology.order === "by-link"
        ? {
            ...NOTHING,
            note: "The ring follows the measured links. The agents compute its order, which the service does not report.",
          }
        : allReduce(topology.algorithm, ranks, hosts);
    case "parameter-server":
      return served(topology.servers, ranks);
    case "gossip": {
      const found = gossip(topology.schedule, ranks, topology.mixing === "push-sum");
      const means = topology.globalAverageEvery;
      return means === 0
        ? found
        : {
            ...found,
            note: `${found.note} One exchange in ${means.toString()} is a mean over all ranks instead.`,
          };
    }
  }
}

const NOTHING: Omit<Exchange, "note"> = { edges: null, layout: "circle", servers: [] };

type Algorithm = Extract<Run["configuration"]["topology"], { kind: "all-reduce" }>["algorithm"];

function allReduce(algorithm: Algorithm, ranks: number, hosts: readonly (string | undefined)[]): Exchange {
  const all = range(ranks);
  switch (algorithm) {
    case "ring":
      return { ...NOTHING, edges: ring(all), note: "Each rank sends to the next, and the last to the first." };
    case "tree":
      return {
        ...NOTHING,
        edges: all.slice(1).map((rank) => both(rank & (rank - 1), rank)),
        note: "Sums go up a binomial tree to rank 0, and the result comes down.",
      };
    case "flat":
      return {
        ...NOTHING,
        layout: "layers",
        servers: [0],
        edges: all.slice(1).map((rank) => both(0, rank)),
        note: "All ranks send to rank 0, which sends the sum back.",
      };
    case "recursive-doubling":
    case "halving-doubling":
      return {
        ...NOTHING,
        edges: doubling(ranks),
        note: "Partners are at distances 1, 2, 4 and so on; ranks beyond the greatest power of two are folded into the others.",
      };
    case "hierarchical":
      return hierarchical(ranks, hosts);
    case "auto":
      return {
        ...NOTHING,
        note: "The ranks measure their links at rendezvous and choose the algorithm, which the service does not report.",
      };
  }
}

function doubling(ranks: number): readonly Edge[] {
  let core = 1;
  while (core * 2 <= ranks) {
    core *= 2;
  }
  const edges: Edge[] = [];
  for (let distance = 1; distance < core; distance *= 2) {
    edges.push(
      ...range(core)
        .filter((rank) => (rank & distance) === 0)
        .map((rank) => both(rank, rank + distance)),
    );
  }
  return [...edges, ...range(ranks - core).map((rank) => both(rank, rank + core))];
}

function hierarchical(ranks: number, hosts: readonly (string | undefined)[]): Exchange {
  const machines = new Map<string, number[]>();
  for (const rank of range(ranks)) {
    const host = hosts[rank];
    if (host === undefined) {
      return {
        ...NOTHING,
        note: "A ring inside each host, and rings across. The service no longer knows which ranks shared a host.",
      };
    }
    machines.set(host, [...(machines.get(host) ?? []), rank]);
  }
  const groups = [...machines.values()];
  const inside = groups.flatMap(ring);
  const across = range(groups[0]?.length ?? 0).flatMap((place) => ring(groups.flatMap((group) => group[place] ?? [])));
  return {
    ...NOTHING,
    edges: [...inside, ...across],
    note: "A ring inside each host, and rings across. Hosts are distinguished by their names.",
  };
}

function served(servers: number, ranks: number): Exchange {
  const holders = range(Math.min(servers, ranks));
  return {
    layout: "layers",
    servers: holders,
    edges: holders.flatMap((server) =>
      range(ranks)
        .slice(holders.length)
        .map((rank) => both(server, rank)),
    ),
    note: "Servers hold the weights and do not train; each rank pulls from all servers and pushes to them.",
  };
}

type Partners = Extract<Run["configuration"]["topology"], { kind: "gossip" }>["schedule"];

function gossip(schedule: Partners, ranks: number, isOneWay: boolean): Exchange {
  switch (schedule.kind) {
    case "random-matching":
      return { ...NOTHING, note: "Pairs are drawn at random for each exchange, so there is no single graph." };
    case "fixed":
      return {
        ...NOTHING,
        edges: atDistances([schedule.distance], ranks, isOneWay),
        note: `Each rank exchanges with those at distance ${schedule.distance.toString()}, always the same.`,
      };
    case "linear":
      return {
        ...NOTHING,
        edges: atDistances(
          range(Math.floor(ranks / 2)).map((before) => before + 1),
          ranks,
          isOneWay,
        ),
        note: "Distances 1, 2 and so on take turns until every pair has exchanged; the graph shows all of them.",
      };
    case "dissemination": {
      const distances = range(Math.ceil(Math.log2(ranks))).map((power) => 2 ** power);
      return {
        ...NOTHING,
        edges: atDistances(distances, ranks, isOneWay),
        note: "Distances 1, 2, 4 and so on take turns; the graph shows all of them.",
      };
    }
  }
}

/**
 * Returns the pairs at one of the distances around the circle, each pair once. One way, the second partner receives.
 */
function atDistances(distances: readonly number[], ranks: number, isOneWay: boolean): readonly Edge[] {
  const edges = new Map<string, Edge>();
  for (const distance of distances) {
    for (const from of range(ranks)) {
      const to = (from + distance) % ranks;
      const key = isOneWay || from < to ? `${from.toString()} ${to.toString()}` : `${to.toString()} ${from.toString()}`;
      if (from !== to && !edges.has(key)) {
        edges.set(key, { from, to, isOneWay });
      }
    }
  }
  return [...edges.values()];
}

/** Returns a ring; two ranks form a single edge, and one rank has none. */
function ring(ranks: readonly number[]): readonly Edge[] {
  return ranks.length < 2
    ? []
    : ranks.map((from, place) => ({ from, to: ranks[(place + 1) % ranks.length] ?? from, isOneWay: true }));
}

function both(from: number, to: number): Edge {
  return { from, to, isOneWay: false };
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Returns the position of each rank, from -1 to 1: on a circle from its top, or with the servers above the others. */
export function places({ layout, servers }: Pick<Exchange, "layout" | "servers">, ranks: number): readonly Place[] {
  if (layout === "circle") {
    return range(ranks).map((rank) => {
      const angle = (2 * Math.PI * rank) / ranks;
      return { x: Math.sin(angle), y: -Math.cos(angle) };
    });
  }
  const others = range(ranks).filter((rank) => !servers.includes(rank));
  const across = (index: number, count: number): number => (2 * (index + 0.5)) / count - 1;
  return range(ranks).map((rank) =>
    servers.includes(rank)
      ? { x: across(servers.indexOf(rank), servers.length), y: -1 }
      : { x: across(others.indexOf(rank), others.length), y: 1 },
  );
}

/** Returns the exchange partners of a rank. */
export function partnersOf(edges: readonly Edge[], rank: number): readonly number[] {
  const found = edges.flatMap(({ from, to }) => (from === rank ? [to] : to === rank ? [from] : []));
  return [...new Set(found)].sort((a, b) => a - b);
}
