import { createParser } from "eventsource-parser";

import type { Api } from "./client";

export interface StreamedEvent {
  readonly id: string | undefined;
  readonly type: string;
  readonly data: string;
}

export interface StreamListener {
  /** The stream is open and has no earlier event to resume after. */
  readonly onStart: () => void;
  readonly onEvent: (event: StreamedEvent) => void;
  /** The service is alive: it sent an event or a keep-alive comment. */
  readonly onSign: () => void;
  /** The stream broke off, was rejected or stalled; the client reconnects. */
  readonly onBreak: (reason: Error) => void;
  /** The stream is complete. */
  readonly onEnd: () => void;
}

const FIRST_PAUSE = 1_000;
const MAX_PAUSE = 20_000;

/** Limit without any sign of the service, in milliseconds. The service sends one every 15 seconds. */
export const SILENCE = 40_000;

/**
 * Follows server-sent events until the stream is complete or the signal is aborted; a broken stream resumes after its
 * last event. (The browser's own EventSource sends no token.)
 */
export async function follow(api: Api, path: string, listener: StreamListener, signal: AbortSignal): Promise<void> {
  let last: string | undefined;
  let pause = FIRST_PAUSE;
  while (!signal.aborted) {
    const attempt = new Attempt(signal);
    try {
      const headers = { Accept: "text/event-stream", ...(last !== undefined && { "Last-Event-ID": last }) };
      const response = await api.request(path, { headers, signal: attempt.signal });
      if (response.status === 204 || response.body === null) {
        listener.onEnd();
        return;
      }
      if (last === undefined) {
        listener.onStart();
      }
      await read(response.body, {
        onEvent(event) {
          last = event.id ?? last;
          pause = FIRST_PAUSE;
          listener.onEvent(event);
        },
        onSign() {
          attempt.keepAlive();
          listener.onSign();
        },
      });
      await elapse(FIRST_PAUSE, signal);
    } catch (error) {
      if (!signal.aborted) {
        listener.onBreak(attempt.reasonFor(error));
        await elapse(pause, signal);
        pause = Math.min(MAX_PAUSE, 2 * pause);
      }
    } finally {
      attempt.end();
    }
  }
}

/** A connection that is aborted if the service sends nothing. */
class Attempt {
  readonly signal: AbortSignal;
  readonly #silence = new AbortController();
  #watch: ReturnType<typeof setTimeout>;

  constructor(leaving: AbortSignal) {
    this.signal = AbortSignal.any([leaving, this.#silence.signal]);
    this.#watch = this.#wait();
  }

  keepAlive(): void {
    clearTimeout(this.#watch);
    this.#watch = this.#wait();
  }

  reasonFor(error: unknown): Error {
    if (this.#silence.signal.aborted) {
      return new Error("The service sends nothing.");
    }
    return error instanceof Error ? error : new Error(String(error));
  }

  end(): void {
    clearTimeout(this.#watch);
  }

  #wait(): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      this.#silence.abort();
    }, SILENCE);
  }
}

async function read(body: ReadableStream<Uint8Array>, on: Pick<StreamListener, "onEvent" | "onSign">): Promise<void> {
  const parser = createParser({
    onEvent({ id, event, data }) {
      on.onEvent({ id, type: event ?? "message", data });
    },
  });
  const texts = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  for (let next = await texts.read(); !next.done; next = await texts.read()) {
    on.onSign();
    parser.feed(next.value);
  }
}

function elapse(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    signal.addEventListener("abort", finish);
  });
}
