import { describe, expect, it } from "vitest";

import type { Schemas } from "@/api/schemas";

import { drawn, lanes, marks, type Slice } from "./trace";

describe("lanes", () => {
  it("lists the threads with slices, in the order of their ranks", () => {
    const trace = {
      traceEvents: [
        { ph: "M", name: "thread_name", pid: 0, tid: 2, args: { name: "rank 1 on fast" } },
        { ph: "M", name: "thread_name", pid: 0, tid: 3, args: { name: "rank 1 on fast, background" } },
        { ph: "M", name: "thread_name", pid: 0, tid: 0, args: { name: "rank 0" } },
        { ph: "X", name: "wait", pid: 0, tid: 2, ts: 5, dur: 2, args: { epoch: 2 } },
        { ph: "X", name: "compute", pid: 0, tid: 0, ts: 1, dur: 4, args: { epoch: 1 } },
      ],
      displayTimeUnit: "ms",
      otherData: { droppedSlices: 3, experiment: "e", position: 1, run: "r" },
    } as Schemas["ChromeTrace"];

    expect(lanes(trace)).toEqual({
      names: ["rank 0", "rank 1 · fast"],
      epochs: [
        { epoch: 1, begun: 1 },
        { epoch: 2, begun: 5 },
      ],
      slices: [
        { lane: 0, phase: "compute", begun: 1, ended: 5 },
        { lane: 1, phase: "wait", begun: 5, ended: 7 },
      ],
      dropped: 3,
    });
  });
});

describe("marks", () => {
  const epochs = Array.from({ length: 100 }, (_, index) => ({ epoch: index + 1, begun: 10 * index }));

  it("shows the epochs that begin in view", () => {
    expect(marks(epochs, 15, 40, 20).map(({ epoch }) => epoch)).toEqual([3, 4, 5]);
  });

  it("shows a part of many epochs", () => {
    expect(marks(epochs, 0, 1000, 4).map(({ epoch }) => epoch)).toEqual([1, 26, 51, 76]);
  });
});

describe("drawn", () => {
  const many: Slice[] = Array.from({ length: 1000 }, (_, index) => ({
    lane: 0,
    phase: index % 4 === 0 ? "wait" : "compute",
    begun: index,
    ended: index + 1,
  }));

  it("keeps slices that are wide enough", () => {
    expect(drawn(many, 0, 1000, 1)).toEqual(many);
  });

  it("joins narrow slices into their longest phase", () => {
    const joined = drawn(many, 0, 1000, 100);

    expect(joined).toHaveLength(10);
    expect(joined.every(({ phase }) => phase === "compute")).toBe(true);
    expect([joined[0]?.begun, joined.at(-1)?.ended]).toEqual([0, 1000]);
  });

  it("omits slices outside of the view", () => {
    expect(drawn(many, 10, 12, 1).map(({ begun }) => begun)).toEqual([9, 10, 11, 12]);
  });
});
