import { describe, expect, it } from "vitest";

import { planSearch, sourceOf } from "./plan-search";

describe("the address of a plan", () => {
  it("names the source of the definition", () => {
    expect(sourceOf(planSearch({ preset: "hundredfold", scale: "small", part: 2 }))).toBe("preset/hundredfold/small/2");
    expect(sourceOf(planSearch({ preset: "hundredfold" }))).toBe("preset/hundredfold//1");
    expect(sourceOf(planSearch({ experiment: "e1", version: 3 }))).toBe("experiment/e1/3");
    expect(sourceOf(planSearch({}))).toBeNull();
  });

  it("ignores invalid values", () => {
    expect(planSearch({ preset: 7, part: 0, version: "x", target: 2, order: "color" })).toEqual({});
  });
});
