// @vitest-environment happy-dom
import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Run } from "@/api/schemas";

import { LivePage, pointsOf } from "./live-page";
import { curveKey, type LivePoints } from "./live-points";
import {
  KEYS,
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

describe("the page of an open run", () => {
  let client: QueryClient;
  let page: LivePage;
  let reads: Reads;

  /** Opens the page, draws it every second, and lets it read what it reads at first. */
  beforeEach(async () => {
    vi.useFakeTimers();
    client = new QueryClient();
    reads = observedReads(client);
    page = new LivePage(client, RUN.id);
    setInterval(() => {
      page.draw();
    }, SECOND);
    page.readAll();
    await pass(2 * SECOND);
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  async function pass(milliseconds: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(milliseconds);
  }

  function take(event: object): void {
    page.take({ id: "1", type: "event", data: JSON.stringify({ id: 1, event }) });
  }

  /** Returns the steps of the points that the events have brought for rank 0. */
  function steps(): readonly number[] | undefined {
    return client
      .getQueryData<LivePoints>(pointsOf(RUN.id))
      ?.get(curveKey(LOSS, 0))
      ?.map(({ step }) => step);
  }

  it("shows points and progress of the events, and reads no curve for them", async () => {
    take(metrics(0, 1));
    await pass(2 * SECOND);

    const minute = await readsDuring(reads, () => train({ ranks: 1, firstStep: 2, send: take, pass }));
    await pass(SECOND);

    expect(steps()?.at(-1)).toBe(121);
    expect(client.getQueryData<Run>(KEYS.run)?.progress.round).toBe(120);
    expect(minute).toEqual({ ...NO_READS, run: 4 });
  });

  it("reads no more for many ranks", async () => {
    for (let rank = 0; rank < 32; rank++) {
      take(metrics(rank, 1));
    }
    await pass(2 * SECOND);

    const minute = await readsDuring(reads, () => train({ ranks: 32, firstStep: 2, send: take, pass }));

    expect(minute).toEqual({ ...NO_READS, run: 4 });
  });

  it("reads the list of curves when a curve is new", async () => {
    const { metrics: lists, loss } = await readsDuring(reads, async () => {
      take(metrics(0, 1));
      await pass(2 * SECOND);
    });

    expect([lists, loss]).toEqual([1, 1]);
  });

  it("reads after epochs what the events do not continue, every few seconds", async () => {
    take(metrics(0, 1));
    await pass(MINUTE);

    const minute = await readsDuring(reads, async () => {
      for (let epoch = 1; epoch <= 120; epoch++) {
        take({ type: "epoch", epoch });
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
    take(metrics(0, 1, 2, 3, 4));
    await pass(2 * SECOND);

    for (const type of ["set-back", "placed"]) {
      const { loss } = await readsDuring(reads, async () => {
        take({ type });
        await pass(2 * SECOND);
      });

      expect(loss).toBe(1);
      expect(steps()).toBeUndefined();
    }
    take(metrics(0, 3));
    await pass(2 * SECOND);
    expect(steps()).toEqual([3]);
  });

  it("reads the curves when the service has forgotten events meanwhile", async () => {
    const { loss } = await readsDuring(reads, async () => {
      page.take({ id: undefined, type: "forgotten", data: "{}" });
      await pass(2 * SECOND);
    });

    expect(loss).toBe(1);
  });
});
