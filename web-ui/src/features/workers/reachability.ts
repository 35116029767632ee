import type { Worker } from "@/api/schemas";

const GONE: readonly Worker["state"][] = ["LOST", "LEFT"];

export function isGone(state: Worker["state"]): boolean {
  return GONE.includes(state);
}

/** Returns which workers cannot reach a worker at its data address, and which it cannot reach, as sentences. */
export function unreachable(worker: Worker, all: readonly Worker[]): readonly string[] {
  return [...missedBy(worker, all), ...missed(worker, othersThan(worker, all))];
}

/** Returns which workers cannot reach a worker at its data address, as sentences. */
export function missedBy(worker: Worker, all: readonly Worker[]): readonly string[] {
  return isGone(worker.state) ? [] : othersThan(worker, all).flatMap((other) => missed(other, [worker]));
}

function othersThan(worker: Worker, all: readonly Worker[]): readonly Worker[] {
  return all.filter(({ id, state }) => id !== worker.id && !isGone(state));
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
