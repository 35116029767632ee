import { QueryObserver, type QueryClient } from "@tanstack/react-query";

import type { Run, Schemas } from "@/api/schemas";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const RUN = { id: "r1", state: "RUNNING", progress: { round: 0 } } as Run;
export const LOSS = "train/loss";

/** Keys of the queries of the page of a run. */
export const KEYS = {
  run: ["runs", "whole", "r1"],
  metrics: ["curves", "r1", "metrics"],
  loss: ["curves", "r1", LOSS, "step"],
  lossOverBytes: ["curves", "r1", LOSS, "bytes"],
  accuracy: ["curves", "r1", "test/accuracy", "step"],
  log: ["log", "r1"],
} as const;
type Read = keyof typeof KEYS;

/** How often each query was read. */
export type Reads = Record<Read, number>;

export const NO_READS: Readonly<Reads> = { run: 0, metrics: 0, loss: 0, lossOverBytes: 0, accuracy: 0, log: 0 };

/** Observes the queries of the page of a run, and counts their reads from now on. */
export function observedReads(client: QueryClient): Reads {
  const reads = { ...NO_READS };
  for (const [name, queryKey] of Object.entries(KEYS)) {
    const queryFn = (): object => {
      reads[name as Read]++;
      return name === "run" ? RUN : {};
    };
    new QueryObserver<object>(client, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => undefined);
  }
  return reads;
}

/** Returns the reads during an action. */
export async function readsDuring(reads: Readonly<Reads>, action: () => Promise<void>): Promise<Reads> {
  const before = { ...reads };
  await action();
  return Object.fromEntries(Object.entries(reads).map(([name, all]) => [name, all - before[name as Read]])) as Reads;
}

export function metrics(rank: number, ...steps: number[]): Schemas["RunEvent.Metrics"] {
  return { type: "metrics", rank, name: LOSS, every: 1, steps, seconds: steps, values: steps };
}

function progress(round: number): object {
  return { type: "progress", progress: { round } };
}

interface Training {
  readonly ranks: number;
  readonly firstStep: number;
  readonly send: (event: object) => void;
  readonly pass: (milliseconds: number) => Promise<void>;
}

/** Lets a run train for a minute: each of its ranks reports twice a second. */
export async function train({ ranks, firstStep, send, pass }: Training): Promise<void> {
  for (let step = firstStep; step < firstStep + 120; step++) {
    for (let rank = 0; rank < ranks; rank++) {
      send(metrics(rank, step));
    }
    if (step % 2 === 0) {
      send(progress(step));
    }
    await pass(SECOND / 2);
  }
}
