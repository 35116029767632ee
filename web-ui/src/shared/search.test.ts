import { describe, expect, it } from "vitest";

import { choice, flag, intervals, number, text, texts } from "./search";

describe("a field of the address", () => {
  it("is read if it has the expected type", () => {
    const given = { name: "a", log: true, smooth: 0.5, sort: "up", run: ["x", "y", "x"] };

    expect({
      ...text(given, "name"),
      ...flag(given, "log"),
      ...number(given, "smooth", 0, 1),
      ...choice(given, "sort", ["up", "down"]),
      ...texts(given, "run"),
    }).toEqual({ name: "a", log: true, smooth: 0.5, sort: "up", run: ["x", "y"] });
  });

  it("is omitted if it has another type", () => {
    const given = { name: 7, log: "yes", smooth: 2, sort: "sideways", run: [1, ""] };

    expect({
      ...text(given, "name"),
      ...flag(given, "log"),
      ...number(given, "smooth", 0, 1),
      ...choice(given, "sort", ["up", "down"]),
      ...texts(given, "run"),
    }).toEqual({});
  });

  it("may be named ranges, of which only valid ones are kept", () => {
    const only = { rate: [0.1, 0.5], loss: [2, 1], seed: [1], kind: "x", epoch: [null, 3] };

    expect(intervals({ only }, "only")).toEqual({ only: { rate: [0.1, 0.5] } });
    expect(intervals({ only: "rate" }, "only")).toEqual({});
  });

  it("may be one text for a list of texts", () => {
    expect(texts({ run: "x" }, "run")).toEqual({ run: ["x"] });
    expect(texts({ state: ["RUNNING", "HIDDEN"] }, "state", ["RUNNING", "FAILED"])).toEqual({ state: ["RUNNING"] });
  });
});
