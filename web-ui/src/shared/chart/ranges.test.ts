import { describe, expect, it } from "vitest";

import { boundsOf } from "./metric-bounds";
import { labelOver, logRangeOf, rangeOf, tickStep, tickText, toTicks, type Range } from "./ranges";

const ACCURACY = boundsOf("test/accuracy");
const BYTES = boundsOf("epoch/bytes");

describe("the range of an axis", () => {
  it("leaves space around the values, but not beyond their bounds", () => {
    expect(rangeOf([0.4, 1], ACCURACY)).toEqual([expect.closeTo(0.37), 1]);
    expect(rangeOf([1, 101], BYTES)).toEqual([0, 106]);
    expect(rangeOf([-1, 1], boundsOf("x"))).toEqual([expect.closeTo(-1.1), expect.closeTo(1.1)]);
  });

  it("ends at 1 if every accuracy is 1", () => {
    expect(rangeOf([1, 1], ACCURACY)).toEqual([0.9, 1]);
  });

  it("is one unit if all values are 0, and says so", () => {
    expect(rangeOf([0, 0], ACCURACY)).toEqual([0, 1]);
    expect(rangeOf([0, 0], BYTES)).toEqual([0, 1]);
    expect(rangeOf([], BYTES)).toEqual([0, 1]);
    expect(labelOver("bytes", [0, 0])).toBe("bytes, all 0");
    expect(labelOver("bytes", [0, 1])).toBe("bytes");
    expect(labelOver("bytes", [])).toBe("bytes");
  });

  it("surrounds equal values", () => {
    expect(rangeOf([50, 50], BYTES)).toEqual([45, 55]);
    expect(rangeOf([-50], boundsOf("x"))).toEqual([-55, -45]);
  });

  it("begins at 0 for differences below one percent, unless the user zooms", () => {
    const alike = [100_000, 100_003];

    expect(rangeOf(alike, BYTES)[0]).toBe(0);
    expect(rangeOf(alike, BYTES)[1]).toBeGreaterThan(100_003);
    expect(rangeOf(alike, BYTES, true)).toEqual([expect.closeTo(99_999.85), expect.closeTo(100_003.15)]);
    expect(rangeOf([-100_000, -100_003], boundsOf("x"))[1]).toBe(0);
  });

  it("shows values beyond the bounds, which are then errors to see", () => {
    expect(rangeOf([0.5, 1.5], ACCURACY)).toEqual([0.45, 1.55]);
  });

  it("covers powers of ten along a logarithmic axis", () => {
    expect(logRangeOf([0.02, 30], boundsOf("loss"))).toEqual([0.01, 100]);
    expect(logRangeOf([0, 5], boundsOf("loss"))).toEqual([1, 10]);
    expect(logRangeOf([10, 10], boundsOf("loss"))).toEqual([10, 100]);
    expect(logRangeOf([1, 1], ACCURACY)).toEqual([0.1, 1]);
    expect(logRangeOf([], ACCURACY)).toEqual([0.1, 1]);
  });
});

describe("the ticks of an axis", () => {
  it("are round, and the axis ends with them", () => {
    expect(tickStep([0, 1])).toBe(0.2);
    expect(toTicks([0.37, 1], ACCURACY)).toEqual([expect.closeTo(0.2), 1]);
    expect(toTicks([45, 55], BYTES)).toEqual([44, 56]);
  });

  it("have distinct texts", () => {
    const range: Range = [99_999.85, 100_003.15];
    const step = tickStep(range);
    const texts = [0, 1, 2, 3].map((index) => tickText(100_000 + index * step, range));

    expect(new Set(texts).size).toBe(4);
    expect(tickText(0.2, [0, 1])).toBe("0.2");
  });
});

describe("the bounds of a metric", () => {
  it("follow from its name", () => {
    expect(boundsOf("replicaAccuracy")).toEqual({ least: 0, greatest: 1 });
    for (const amount of ["train/loss", "secondsToTarget", "bytesSent", "replicas/relative-distance", "GiB"]) {
      expect(boundsOf(amount)).toEqual({ least: 0 });
    }
    expect(boundsOf("learningRate")).toEqual({});
  });
});
