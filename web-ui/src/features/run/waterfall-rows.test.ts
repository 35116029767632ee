import { describe, expect, it } from "vitest";

import type { Schemas } from "@/api/schemas";

import { waterfallRows } from "./waterfall-rows";

type Segment = Schemas["Waterfall"]["segments"][number];

function segment(kind: Segment["kind"], startSeconds: number, seconds: number, more?: Partial<Segment>): Segment {
  return { kind, source: "service", generation: null, startSeconds, seconds, epochs: null, ...more };
}

function waterfall(seconds: number, ...segments: Segment[]): Schemas["Waterfall"] {
  return { from: "2026-01-01T00:00:00Z", to: "2026-01-01T01:00:00Z", seconds, open: false, segments };
}

describe("waterfallRows", () => {
  it("has each segment with its part of the whole", () => {
    const rows = waterfallRows(waterfall(8, segment("queued", 0, 2), segment("report", 2, 6, { generation: 1 })));

    expect(rows.map(({ name, startSeconds, fraction }) => [name, startSeconds, fraction])).toEqual([
      ["queued", 0, 0.25],
      ["not in a report", 2, 0.75],
    ]);
  });

  it("names generations if there are several", () => {
    const rows = waterfallRows(
      waterfall(4, segment("training", 0, 2, { generation: 1 }), segment("training", 2, 2, { generation: 2 })),
    );

    expect(rows.map(({ name }) => name)).toEqual(["training, generation 1", "training, generation 2"]);
  });

  it("divides training into the phases that took time", () => {
    const epochs = {
      computeSeconds: 3,
      encodeSeconds: 0,
      transferSeconds: 1,
      waitSeconds: 0,
      applySeconds: 0,
      otherSeconds: 0.5,
    };

    expect(waterfallRows(waterfall(4.5, segment("training", 0, 4.5, { epochs })))[0]?.parts).toEqual([
      { phase: "compute", seconds: 3 },
      { phase: "transfer", seconds: 1 },
      { phase: "other", seconds: 0.5 },
    ]);
  });

  it("joins the segments after the first hundred, so that the rows sum to the run", () => {
    const rows = waterfallRows(waterfall(250, ...Array.from({ length: 250 }, (_, at) => segment("queued", at, 1))));

    expect(rows).toHaveLength(101);
    expect(rows.at(-1)).toMatchObject({ name: "150 further segments", startSeconds: 100, seconds: 150 });
    expect(rows.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(250);
  });
});
