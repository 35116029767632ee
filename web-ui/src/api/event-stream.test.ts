import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Api } from "./client";
import { follow, SILENCE, type StreamListener } from "./event-stream";
import { ServiceProblem, ServiceUnreachable } from "./problem";

const ENCODER = new TextEncoder();

/** Answers each attempt as the test defines it, and records the requests. */
class FakeStreams {
  readonly headers: Headers[] = [];
  readonly #answers: ((signal: AbortSignal) => Response)[] = [];

  readonly api = {
    request: (_: string, { headers, signal }: RequestInit) => {
      this.headers.push(new Headers(headers));
      const answer = this.#answers.shift() ?? (() => new Response(null, { status: 204 }));
      return new Promise<Response>((resolve) => {
        resolve(answer(signal ?? new AbortController().signal));
      });
    },
  } as unknown as Api;

  sends(text: string): this {
    this.#answers.push(() => new Response(text));
    return this;
  }

  fails(error: Error): this {
    this.#answers.push(() => {
      throw error;
    });
    return this;
  }

  /** Sends a text, and then nothing until the client aborts. */
  stalls(text: string): this {
    this.#answers.push(
      (signal) =>
        new Response(
          new ReadableStream({
            start(controller) {
              controller.enqueue(ENCODER.encode(text));
              signal.addEventListener("abort", () => {
                controller.error(signal.reason);
              });
            },
          }),
        ),
    );
    return this;
  }
}

describe("a followed stream", () => {
  const leaving = new AbortController();
  let received: string[];
  let breaks: string[];
  let listener: StreamListener;
  let ended: Promise<void>;

  beforeEach(() => {
    vi.useFakeTimers();
    received = [];
    breaks = [];
    ended = new Promise((resolve) => {
      listener = {
        onStart: () => undefined,
        onEvent: ({ type, data }) => received.push(`${type} ${data}`),
        onSign: () => undefined,
        onBreak: ({ message }) => breaks.push(message),
        onEnd: resolve,
      };
    });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  async function whole(streams: FakeStreams): Promise<void> {
    const following = follow(streams.api, "/events", listener, leaving.signal);
    await vi.runAllTimersAsync();
    await ended;
    await following;
  }

  it("resumes after the last event when it breaks off", async () => {
    const streams = new FakeStreams()
      .sends("id: 7\nevent: epoch\ndata: one\n\n")
      .fails(new ServiceUnreachable(null))
      .sends("id: 8\ndata: two\n\n");

    await whole(streams);

    expect(received).toEqual(["epoch one", "message two"]);
    expect(breaks).toEqual(["The service cannot be reached."]);
    expect(streams.headers.map((each) => each.get("Last-Event-ID"))).toEqual([null, "7", "7", "8"]);
  });

  it("resumes after the last event with an id", async () => {
    const streams = new FakeStreams()
      .sends("id: 7\nevent: epoch\ndata: one\n\nevent: forgotten\ndata: {}\n\n")
      .sends("id: 8\ndata: two\n\n");

    await whole(streams);

    expect(received).toEqual(["epoch one", "forgotten {}", "message two"]);
    expect(streams.headers.map((each) => each.get("Last-Event-ID"))).toEqual([null, "7", "8"]);
  });

  it("reconnects when the service sends nothing", async () => {
    const streams = new FakeStreams().stalls("id: 7\ndata: one\n\n").sends("data: two\n\n");
    const begun = Date.now();

    await whole(streams);

    expect(received).toEqual(["message one", "message two"]);
    expect(breaks).toEqual(["The service sends nothing."]);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(SILENCE);
  });

  it("reconnects when it was rejected", async () => {
    await whole(new FakeStreams().fails(new ServiceProblem(403, "Not yours.")).sends("data: mine after all\n\n"));

    expect(received).toEqual(["message mine after all"]);
    expect(breaks).toEqual(["Not yours."]);
  });
});
