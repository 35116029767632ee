import { describe, expect, it } from "vitest";

import type { Schemas } from "@/api/schemas";

import { scaled, timedPoints } from "./scaling";

const SECONDS: Schemas["MeanEstimate"] = { count: 4, mean: 3, low: 2, high: 4, interval: "confidence", points: [] };
const SPEEDUP: Schemas["MeanEstimate"] = { count: 2, mean: 3, low: 2, high: 4, interval: "range", points: [2, 4] };

const POINTS: readonly Schemas["ScalingPoint"][] = [
  { line: "ring", replicas: 4, epoch: { seconds: SECONDS, speedup: SPEEDUP }, training: null, target: null },
];

describe("scaling", () => {
  it("has the points with the chosen time", () => {
    expect(timedPoints(POINTS, "epoch")).toEqual([{ line: "ring", replicas: 4, seconds: SECONDS, speedup: SPEEDUP }]);
    expect(timedPoints(POINTS, "target")).toEqual([]);
  });

  it("is shown as speedup or as efficiency, with its interval", () => {
    const [point] = timedPoints(POINTS, "epoch");

    expect(point && scaled(point, "speedup")).toEqual(SPEEDUP);
    expect(point && scaled(point, "efficiency")).toEqual({
      ...SPEEDUP,
      mean: 0.75,
      low: 0.5,
      high: 1,
      points: [0.5, 1],
    });
  });

  it("has no interval if the service gives none", () => {
    const fewest = { line: "ring", replicas: 2, seconds: SECONDS, speedup: { ...SPEEDUP, low: null, high: null } };

    expect(scaled(fewest, "efficiency")).toMatchObject({ low: null, high: null });
  });
});
