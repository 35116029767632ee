import { describe, expect, it } from "vitest";

import { metricTitle } from "./metric-titles";

describe("the title of a metric", () => {
  it("is in words", () => {
    expect(metricTitle("test/accuracy")).toBe("Test accuracy");
  });

  it("is the name of a metric without words", () => {
    expect(metricTitle("layer/norm")).toBe("layer/norm");
  });
});
