import type { Worker } from "@/api/schemas";

/** An idle worker with this id and name. */
export function worker(id: string, rest: Partial<Worker> = {}): Worker {
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

/** A probe of a worker, by default at its address. */
export function probe(target: string, failure: string | null, address = `${target}:5702`): Worker["probes"][number] {
  return { worker: target, address, failure, at: "2026-01-05T08:00:00Z", failures: 1, next: "2026-01-05T08:10:00Z" };
}
