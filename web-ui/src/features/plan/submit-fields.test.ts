import { describe, expect, it } from "vitest";

import { read, withField } from "./definition-text";
import { fieldsOf, seedsOf } from "./submit-fields";

describe("the fields of the form", () => {
  it("have the values of the text", () => {
    expect(fieldsOf(read("name: m\npriority: -3\nseeds: [1, 9007199254740993]"))).toEqual({
      name: "m",
      priority: -3,
      seeds: ["1", "9007199254740993"],
    });
  });

  it("are empty if the text has no suitable values", () => {
    expect(fieldsOf(read("name: 7\nseeds: all"))).toEqual({ name: "", priority: null, seeds: [] });
    expect(fieldsOf(read(""))).toEqual({ name: "", priority: null, seeds: [] });
  });

  it("take whole numbers as seeds, each once", () => {
    expect(seedsOf(["1", " 2", "x", "1", "1.5"])).toEqual([1n, 2n]);
    expect(seedsOf(["x"])).toBeUndefined();
    expect(fieldsOf(read(withField("name: m\n", "seeds", seedsOf(["3", "4"])))).seeds).toEqual(["3", "4"]);
  });
});
