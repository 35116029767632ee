import type { Worker } from "@/api/schemas";

import type { Sort, SortName, WorkersSearch } from "./workers-search";

const FIGURES: Record<SortName, (worker: Worker) => string | number> = {
  name: ({ name }) => name,
  state: ({ state }) => state,
  host: ({ host }) => host.name,
  threads: ({ host }) => host.threads,
  memory: ({ host }) => host.memoryBytes,
  slowDown: ({ host }) => host.slowDown,
  load: ({ load }) => load ?? -1,
  seen: ({ lastSeenAt }) => Date.parse(lastSeenAt),
};

export const BY_NAME: Sort = "name";

/** Returns the workers of a view, in its order with ties by name; those that have left only on request. */
export function shown(workers: readonly Worker[], view: WorkersSearch): readonly Worker[] {
  const { state, name, label, sort = BY_NAME } = view;
  const isDescending = sort.startsWith("-");
  const figure = FIGURES[(isDescending ? sort.slice(1) : sort) as SortName];
  return workers
    .filter((worker) => state?.includes(worker.state) ?? worker.state !== "LEFT")
    .filter((worker) => name === undefined || contains(worker.name, name) || contains(worker.host.name, name))
    .filter((worker) => label === undefined || bears(worker, label))
    .sort((a, b) => (isDescending ? -1 : 1) * compared(figure(a), figure(b)) || compared(a.name, b.name));
}

function contains(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

function bears({ labels }: Worker, label: string): boolean {
  const at = label.indexOf("=");
  return at < 0 ? label.trim() in labels : labels[label.slice(0, at).trim()] === label.slice(at + 1).trim();
}

function compared(a: string | number, b: string | number): number {
  return typeof a === "number" && typeof b === "number"
    ? a - b
    : String(a).localeCompare(String(b), "en", { numeric: true });
}

export function agentText({ agentVersion, protocolVersion }: Worker): string {
  return `${agentVersion ?? "unknown version"}, protocol ${protocolVersion}`;
}

export function labelText(labels: Worker["labels"]): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(", ");
}

/** Counts the workers in each state that occurs, in the order of the states of a worker. */
export function counts(
  workers: readonly Worker[],
  states: readonly Worker["state"][],
): readonly (readonly [Worker["state"], number])[] {
  return states
    .map((state) => [state, workers.filter((worker) => worker.state === state).length] as const)
    .filter(([, count]) => count > 0);
}
