import { describe, expect, it } from "vitest";

import { linesOf, meanOf, seriesOf, type Line } from "./lines";

function curve(run: string, points: readonly (readonly [number, number])[]): Parameters<typeof linesOf>[0][number] {
  return {
    run,
    buckets: points.map(([lastX, last]) => ({
      count: 1,
      firstX: lastX,
      from: lastX,
      to: lastX,
      lastX,
      last,
      min: last,
      max: last,
    })),
  };
}

const LOOK = (): { color: string } => ({ color: "red" });

describe("lines", () => {
  it("are the mean over the ranks of a run", () => {
    const lines = linesOf([
      curve("a", [
        [1, 2],
        [2, 4],
      ]),
      curve("a", [
        [1, 4],
        [2, 8],
      ]),
      curve("b", [[1, 1]]),
      curve("c", []),
    ]);

    expect(lines.get("a")).toMatchObject({ x: [1, 2], y: [3, 6] });
    expect(lines.get("b")).toMatchObject({ x: [1], y: [1] });
    expect(lines.has("c")).toBe(false);
  });

  it("have a mean over their common range, with linear interpolation", () => {
    const mean = meanOf([
      { x: [0, 2, 4], y: [0, 2, 4] },
      { x: [1, 3], y: [3, 5] },
    ]);

    expect(mean.x).toEqual([1, 2, 3]);
    expect(mean.y).toEqual([2, 3, 4]);
    expect(mean.band.low).toEqual([1, 2, 3]);
    expect(mean.band.high).toEqual([3, 4, 5]);
  });

  it("have no mean without a common range", () => {
    expect(
      meanOf([
        { x: [0, 1], y: [0, 0] },
        { x: [2, 3], y: [0, 0] },
      ]).x,
    ).toEqual([]);
  });

  it("have at most as many points as a chart shows, including their ends", () => {
    const long: Line = {
      x: Array.from({ length: 5_001 }, (_, index) => index),
      y: Array.from({ length: 5_001 }, () => 1),
    };
    const { x } = meanOf([long, long]);

    expect(x.length).toBeLessThanOrEqual(1_001);
    expect([x[0], x.at(-1)]).toEqual([0, 5_000]);
  });
});

describe("series", () => {
  const LINES = new Map<string, Line>([
    ["a", { x: [1, 2], y: [4, 0] }],
    ["b", { x: [1, 2], y: [2, 2] }],
  ]);

  it("have a band if a group has several runs", () => {
    const [alone, both] = seriesOf(
      LINES,
      [
        { key: "a", label: "a", runs: ["a"] },
        { key: "ab", label: "both", runs: ["a", "b"] },
        { key: "gone", label: "gone", runs: ["c"] },
      ],
      0,
      LOOK,
    );

    expect(alone?.band).toBeUndefined();
    expect(both).toMatchObject({
      label: "both",
      y: [3, 1],
      band: { low: [2, 0], high: [4, 2] },
    });
  });

  it("have their raw values behind a smoothed line", () => {
    const [raw, smooth] = seriesOf(LINES, [{ key: "a", label: "a", runs: ["a"] }], 0.5, LOOK);

    expect(raw).toMatchObject({ rawOf: "a", y: [4, 0] });
    expect(smooth?.y[1]).toBeCloseTo(4 / 3, 12);
  });

  it("are computed in time for 20 runs on a wide screen", () => {
    const x = Array.from({ length: 1_000 }, (_, index) => index * 100);
    const lines = new Map(
      Array.from(
        { length: 20 },
        (_, run) => [`r${run.toString()}`, { x: x.map((at) => at + run), y: x.map(Math.sin) }] as const,
      ),
    );
    const groups = [...lines.keys()].map((run) => ({ key: run, label: run, runs: [run] }));
    const begun = performance.now();

    seriesOf(lines, groups, 0.9, LOOK);
    seriesOf(lines, [{ key: "all", label: "all", runs: [...lines.keys()] }], 0.9, LOOK);

    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});
