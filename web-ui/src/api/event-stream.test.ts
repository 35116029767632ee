import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Api } from "./client";
import { follow, SILENCE, type StreamListener } from "./event-stream";
import { ServiceProblem, ServiceUnreachable } from "./problem";

const ENCODER = new TextEncoder();

/** Answers each attempt with what the test wants, and keeps what was asked. */
class Streams {
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

  /** Sends something, and then nothing until it is given up. */
  fallsSilent(text: string): this {
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
  let heard: string[];
  let breaks: string[];
  let listener: StreamListener;
  let ended: Promise<void>;

  beforeEach(() => {
    vi.useFakeTimers();
    heard = [];
    breaks = [];
    ended = new Promise((resolve) => {
      listener = {
        onEvent: ({ type, data }) => heard.push(`${type} ${data}`),
        onSign: () => undefined,
        onBreak: ({ message }) => breaks.push(message),
        onEnd: resolve,
      };
    });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  async function whole(streams: Streams): Promise<void> {
    const following = follow(streams.api, "/events", listener, leaving.signal);
    await vi.runAllTimersAsync();
    await ended;
    await following;
  }

  it("goes on behind the last event where it broke off", async () => {
    const streams = new Streams()
      .sends("id: 7\nevent: epoch\ndata: one\n\n")
      .fails(new ServiceUnreachable(null))
      .sends("id: 8\ndata: two\n\n");

    await whole(streams);

    expect(heard).toEqual(["epoch one", "message two"]);
    expect(breaks).toEqual(["The service cannot be reached."]);
    expect(streams.headers.map((each) => each.get("Last-Event-ID"))).toEqual([null, "7", "7", "8"]);
  });

  it("is asked for again when the service says nothing", async () => {
    const streams = new Streams().fallsSilent("id: 7\ndata: one\n\n").sends("data: two\n\n");
    const begun = Date.now();

    await whole(streams);

    expect(heard).toEqual(["message one", "message two"]);
    expect(breaks).toEqual(["The service says nothing."]);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(SILENCE);
  });

  it("is asked for again when it was refused", async () => {
    await whole(new Streams().fails(new ServiceProblem(403, "Not yours.")).sends("data: mine after all\n\n"));

    expect(heard).toEqual(["message mine after all"]);
    expect(breaks).toEqual(["Not yours."]);
  });
});
