import type { Worker } from "@/api/schemas";

const GONE: readonly Worker["state"][] = ["LOST", "LEFT"];

/** Returns which workers cannot reach a worker at its data address, and which it cannot reach, as sentences. */
export function unreachable(worker: Worker, all: readonly Worker[]): readonly string[] {
  const present = all.filter(({ state }) => !GONE.includes(state));
  const others = present.filter(({ id }) => id !== worker.id);
  return [...others.flatMap((other) => missed(other, [worker])), ...missed(worker, others)];
}

/** Probes of a former address do not count. */
function missed(prober: Worker, targets: readonly Worker[]): readonly string[] {
  return prober.probes.flatMap(({ worker, address, failure }) => {
    const target = targets.find(({ id, dataAddress }) => id === worker && dataAddress === address);
    return target === undefined || failure == null
      ? []
      : [`${target.name} cannot be reached by ${prober.name} at ${address}: ${failure}.`];
  });
}
