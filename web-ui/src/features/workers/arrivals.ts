import type { Worker } from "@/api/schemas";

import { isGone, missedBy } from "./reachability";

/** How far a new worker has come. */
export interface Arrival {
  readonly id: string;
  readonly name: string;
  readonly progress: string;
  /** Why other workers cannot reach it, and what to change. */
  readonly failures: readonly Failure[];
}

interface Failure {
  readonly sentence: string;
  readonly advice: string;
}

/** Tells how far a new worker has come. */
export function arrival(worker: Worker, all: readonly Worker[]): Arrival {
  const others = all.filter(({ id, state }) => id !== worker.id && !isGone(state));
  return {
    id: worker.id,
    name: worker.name,
    progress: progressOf(worker, others),
    failures: [...unreached(worker, all), ...unseen(worker, others)],
  };
}

function progressOf(worker: Worker, others: readonly Worker[]): string {
  if (worker.state === "JOINING") {
    return "registered; waiting for its first heartbeat";
  }
  if (isGone(worker.state)) {
    return `joined, and is ${worker.state.toLowerCase()} now`;
  }
  if (others.length === 0) {
    return "joined; there is no other worker that could reach it";
  }
  const tried = others.flatMap(({ probes }) =>
    probes.filter(({ worker: id, address, at }) => id === worker.id && address === worker.dataAddress && at !== null),
  );
  const reached = tried.filter(({ failure }) => failure === null).length;
  const expected = Math.max(tried.length, Math.min(others.length, MOST_PROBERS));
  return `joined; reached by ${reached.toString()} of ${expected.toString()} ${expected === 1 ? "worker" : "workers"}`;
}

/** Most workers that try to reach a worker. */
const MOST_PROBERS = 8;

function unreached(worker: Worker, all: readonly Worker[]): readonly Failure[] {
  return missedBy(worker, all).map((sentence) => ({ sentence, advice: adviceFor(sentence) }));
}

/** Workers that do not see each other although their time to join the cluster has passed. */
function unseen(worker: Worker, others: readonly Worker[]): readonly Failure[] {
  const settled = [worker, ...others].filter(({ state, formingUntil }) => state !== "JOINING" && formingUntil === null);
  return settled.includes(worker)
    ? settled
        .filter(({ id, sees }) => id !== worker.id && !(worker.sees.includes(id) && sees.includes(worker.id)))
        .map((other) => ({
          sentence: `${worker.name} at ${worker.clusterAddress} and ${other.name} at ${other.clusterAddress} do not see each other in the cluster.`,
          advice: "Open the port of --port between the machines.",
        }))
    : [];
}

/** Failures of probes, as docs/operate.md lists them, with what to change. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /timed out|no route/i,
    "Open the port of --data-port between the machines, or start the agent with a --host that the other machines reach.",
  ],
  [
    /refused|another worker/i,
    "Start the agent with a --host that leads other machines to this one: not a loopback address, and no name that each host resolves to itself.",
  ],
  [/no agent answers/i, "Another program listens at that address: choose another --data-port."],
  [/no address/i, "Start the agent with an IP address as --host: not all machines can resolve the name."],
];

function adviceFor(sentence: string): string {
  return (
    ADVICE.find(([failure]) => failure.test(sentence))?.[1] ??
    "Check --host and --data-port of the agent, and the firewall between the machines."
  );
}
