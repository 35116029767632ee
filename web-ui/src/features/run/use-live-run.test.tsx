import { QueryClient, QueryClientProvider, QueryObserver } from "@tanstack/react-query";
import { act, renderHook, type RenderHookResult } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { ApiProvider } from "@/api/api-context";
import type { Api } from "@/api/client";
import type { Run, Schemas } from "@/api/schemas";

import { curveKey } from "./live-points";
import { useLivePoints, useLiveRun, type Liveness } from "./use-live-run";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const RUN = { id: "r1", state: "RUNNING", progress: { round: 0 } } as Run;
const LOSS = "train/loss";

/** Event streams, of which a test sends the events and breaks the connections. */
class FakeStreams {
  readonly requests: { readonly path: string; readonly last: string | null }[] = [];
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  #id = 0;

  readonly api = {
    request: (path: string, { headers, signal }: RequestInit) => {
      this.requests.push({ path, last: new Headers(headers).get("Last-Event-ID") });
      const body = new ReadableStream<Uint8Array>({
        start: (stream) => {
          this.#stream = stream;
          signal?.addEventListener("abort", () => {
            stream.error(signal.reason);
          });
        },
      });
      return Promise.resolve(new Response(body));
    },
  } as unknown as Api;

  sends(event: object): void {
    this.#id++;
    this.#write(`id: ${this.#id.toString()}\n`, "event", { id: this.#id, event });
  }

  /** Sends an event about the stream itself. */
  notes(type: string): void {
    this.#write("", type, {});
  }

  breaks(): void {
    this.#stream?.error(new Error("The connection is lost."));
  }

  #write(id: string, type: string, data: object): void {
    this.#stream?.enqueue(new TextEncoder().encode(`${id}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`));
  }
}

function metrics(rank: number, ...steps: number[]): Schemas["RunEvent.Metrics"] {
  return { type: "metrics", rank, name: LOSS, every: 1, steps, seconds: steps, values: steps };
}

function progress(round: number): object {
  return { type: "progress", progress: { round } };
}

const KEYS = {
  run: ["runs", "whole", "r1"],
  metrics: ["curves", "r1", "metrics"],
  loss: ["curves", "r1", LOSS, "step"],
  lossOverBytes: ["curves", "r1", LOSS, "bytes"],
  accuracy: ["curves", "r1", "test/accuracy", "step"],
  log: ["log", "r1"],
} as const;
type Read = keyof typeof KEYS;

describe("a live run", () => {
  let streams: FakeStreams;
  let client: QueryClient;
  let reads: Record<Read, number>;
  let isHidden: boolean;

  beforeEach(() => {
    vi.useFakeTimers();
    streams = new FakeStreams();
    client = new QueryClient();
    reads = { run: 0, metrics: 0, loss: 0, lossOverBytes: 0, accuracy: 0, log: 0 };
    isHidden = false;
    vi.spyOn(document, "hidden", "get").mockImplementation(() => isHidden);
    for (const [name, queryKey] of Object.entries(KEYS)) {
      const queryFn = (): object => {
        reads[name as Read]++;
        return name === "run" ? RUN : {};
      };
      new QueryObserver<object>(client, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => undefined);
    }
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  type Page = RenderHookResult<{ liveness: Liveness; steps: number[] | undefined }, { run: Run }>;

  /** Opens the page of a run and lets it read what it reads at first. */
  async function opened(): Promise<Page> {
    const page = renderHook(
      ({ run }: { run: Run }) => ({
        liveness: useLiveRun(run),
        steps: useLivePoints(run.id)
          .get(curveKey(LOSS, 0))
          ?.map(({ step }) => step),
      }),
      {
        initialProps: { run: RUN },
        wrapper: ({ children }) => (
          <QueryClientProvider client={client}>
            <ApiProvider api={streams.api}>{children}</ApiProvider>
          </QueryClientProvider>
        ),
      },
    );
    await pass(2 * SECOND);
    return page;
  }

  async function pass(milliseconds: number): Promise<void> {
    await act(() => vi.advanceTimersByTimeAsync(milliseconds));
  }

  /** Lets a run train for a minute: each of some ranks reports twice a second. */
  async function train(ranks: number, firstStep = 1): Promise<void> {
    for (let step = firstStep; step < firstStep + 120; step++) {
      for (let rank = 0; rank < ranks; rank++) {
        streams.sends(metrics(rank, step));
      }
      if (step % 2 === 0) {
        streams.sends(progress(step));
      }
      await pass(SECOND / 2);
    }
  }

  /** Returns the reads of what is done meanwhile. */
  async function readsDuring(done: () => Promise<void>): Promise<Record<Read, number>> {
    const before = { ...reads };
    await done();
    return Object.fromEntries(Object.entries(reads).map(([name, all]) => [name, all - before[name as Read]])) as Record<
      Read,
      number
    >;
  }

  const NONE: Record<Read, number> = { run: 0, metrics: 0, loss: 0, lossOverBytes: 0, accuracy: 0, log: 0 };

  it("begins with the next event, and then reads once what came before", async () => {
    await opened();

    expect(streams.requests).toEqual([{ path: "/api/v1/runs/r1/events?live=true", last: null }]);
    expect(reads).toEqual({ run: 2, metrics: 2, loss: 2, lossOverBytes: 2, accuracy: 2, log: 2 });
  });

  it("shows points and progress of the stream, and reads no curve for them", async () => {
    const page = await opened();
    streams.sends(metrics(0, 1));
    await pass(2 * SECOND);

    const minute = await readsDuring(() => train(1, 2));
    await pass(SECOND);

    expect(page.result.current.steps?.at(-1)).toBe(121);
    expect(client.getQueryData<Run>(KEYS.run)?.progress.round).toBe(120);
    expect(minute).toEqual({ ...NONE, run: 4 });
  });

  it("reads no more for many ranks", async () => {
    await opened();
    for (let rank = 0; rank < 32; rank++) {
      streams.sends(metrics(rank, 1));
    }
    await pass(2 * SECOND);

    expect(await readsDuring(() => train(32, 2))).toEqual({ ...NONE, run: 4 });
  });

  it("reads the list of curves when a curve is new", async () => {
    await opened();

    const { metrics: lists, loss } = await readsDuring(async () => {
      streams.sends(metrics(0, 1));
      await pass(2 * SECOND);
    });

    expect([lists, loss]).toEqual([1, 1]);
  });

  it("reads after epochs what the stream does not continue, every few seconds", async () => {
    await opened();
    streams.sends(metrics(0, 1));
    await pass(MINUTE);

    const minute = await readsDuring(async () => {
      for (let epoch = 1; epoch <= 120; epoch++) {
        streams.sends({ type: "epoch", epoch });
        await pass(SECOND / 2);
      }
    });

    expect(minute.loss).toBe(0);
    for (const name of ["run", "metrics", "lossOverBytes", "accuracy", "log"] as const) {
      expect(minute[name]).toBeGreaterThanOrEqual(11);
      expect(minute[name]).toBeLessThanOrEqual(13);
    }
  });

  it("drops the points of a generation that has ended, and reads the curves again", async () => {
    const page = await opened();
    streams.sends(metrics(0, 1, 2, 3, 4));
    await pass(2 * SECOND);

    for (const type of ["set-back", "placed"]) {
      const { loss } = await readsDuring(async () => {
        streams.sends({ type });
        await pass(2 * SECOND);
      });

      expect(loss).toBe(1);
      expect(page.result.current.steps).toBeUndefined();
    }
    streams.sends(metrics(0, 3));
    await pass(2 * SECOND);
    expect(page.result.current.steps).toEqual([3]);
  });

  it("resumes after its last event, and reads no curve again", async () => {
    const page = await opened();
    streams.sends(metrics(0, 1));
    await pass(2 * SECOND);

    const { loss } = await readsDuring(async () => {
      streams.breaks();
      await pass(SECOND / 2);
      expect(page.result.current.liveness.kind).toBe("stale");
      await pass(2 * SECOND);
      streams.sends(metrics(0, 2));
      await pass(2 * SECOND);
    });

    expect(streams.requests.at(-1)?.last).toBe("1");
    expect(page.result.current).toEqual({ liveness: { kind: "live" }, steps: [1, 2] });
    expect(loss).toBe(0);
  });

  it("reads the curves when the service has forgotten events meanwhile", async () => {
    await opened();

    const { loss } = await readsDuring(async () => {
      streams.notes("forgotten");
      await pass(2 * SECOND);
    });

    expect(loss).toBe(1);
  });

  it("reads nothing while it is hidden, and is up to date when it is shown", async () => {
    const page = await opened();
    isHidden = true;

    const hidden = await readsDuring(async () => {
      await train(1);
      streams.sends({ type: "epoch", epoch: 1 });
      await pass(MINUTE);
    });
    isHidden = false;
    const shown = await readsDuring(() => pass(2 * SECOND));

    expect(hidden).toEqual(NONE);
    expect(shown.run).toBe(1);
    expect(shown.accuracy).toBe(1);
    expect(page.result.current.steps?.at(-1)).toBe(120);
  });

  it("reads the curves once more at its end, and then nothing", async () => {
    const page = await opened();
    streams.sends(metrics(0, 1));
    await pass(2 * SECOND);

    const end = await readsDuring(async () => {
      page.rerender({ run: { ...RUN, state: "COMPLETED" } });
      await pass(2 * SECOND);
    });
    const after = await readsDuring(() => pass(MINUTE));

    expect(end.loss).toBe(1);
    expect(page.result.current.steps).toBeUndefined();
    expect(after).toEqual(NONE);
  });
});
