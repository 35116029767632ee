import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, type RenderHookResult } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { ApiProvider } from "@/api/api-context";
import type { Api } from "@/api/client";
import type { Run } from "@/api/schemas";

import { curveKey } from "./live-points";
import {
  LOSS,
  metrics,
  MINUTE,
  NO_READS,
  observedReads,
  readsDuring,
  RUN,
  SECOND,
  train,
  type Reads,
} from "./testing-reads";
import { useLivePoints, useLiveRun, type Liveness } from "./use-live-run";

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
    const data = JSON.stringify({ id: this.#id, event });
    this.#stream?.enqueue(new TextEncoder().encode(`id: ${this.#id.toString()}\nevent: event\ndata: ${data}\n\n`));
  }

  breaks(): void {
    this.#stream?.error(new Error("The connection is lost."));
  }
}

describe("a live run", () => {
  let streams: FakeStreams;
  let client: QueryClient;
  let reads: Reads;
  let isHidden: boolean;

  beforeEach(() => {
    vi.useFakeTimers();
    streams = new FakeStreams();
    client = new QueryClient();
    reads = observedReads(client);
    isHidden = false;
    vi.spyOn(document, "hidden", "get").mockImplementation(() => isHidden);
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

  it("begins with the next event, and then reads once what came before", async () => {
    await opened();

    expect(streams.requests).toEqual([{ path: "/api/v1/runs/r1/events?live=true", last: null }]);
    expect(reads).toEqual({ run: 2, metrics: 2, loss: 2, lossOverBytes: 2, accuracy: 2, log: 2 });
  });

  it("resumes after its last event, and reads no curve again", async () => {
    const page = await opened();
    streams.sends(metrics(0, 1));
    await pass(2 * SECOND);

    const { loss } = await readsDuring(reads, async () => {
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

  it("reads nothing while it is hidden, and is up to date when it is shown", async () => {
    const page = await opened();
    isHidden = true;

    const hidden = await readsDuring(reads, async () => {
      await train({
        ranks: 1,
        firstStep: 1,
        send: (event) => {
          streams.sends(event);
        },
        pass,
      });
      streams.sends({ type: "epoch", epoch: 1 });
      await pass(MINUTE);
    });
    isHidden = false;
    const shown = await readsDuring(reads, () => pass(2 * SECOND));

    expect(hidden).toEqual(NO_READS);
    expect(shown.run).toBe(1);
    expect(shown.accuracy).toBe(1);
    expect(page.result.current.steps?.at(-1)).toBe(120);
  });

  it("reads the curves once more at its end, and then nothing", async () => {
    const page = await opened();
    streams.sends(metrics(0, 1));
    await pass(2 * SECOND);

    const end = await readsDuring(reads, async () => {
      page.rerender({ run: { ...RUN, state: "COMPLETED" } });
      await pass(2 * SECOND);
    });
    const after = await readsDuring(reads, () => pass(MINUTE));

    expect(end.loss).toBe(1);
    expect(page.result.current.steps).toBeUndefined();
    expect(after).toEqual(NO_READS);
  });
});
