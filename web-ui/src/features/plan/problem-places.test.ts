import { describe, expect, it } from "vitest";

import { read } from "./definition-text";
import { misreadings, namesOf, placed, placeOf } from "./problem-places";

const TEXT = `name: mnist
training:
  epochs: 0
  optimizer: {kind: sgd, learningRate: -1}
matrix:
  topology.algorithm: [ring, star]
  a/b: [1]
empty:
`;

function at(pointer: string, text = TEXT): string {
  const { from, to } = placeOf(read(text), pointer);
  return text.slice(from, to);
}

describe("the place of a problem", () => {
  it("is the value at a pointer", () => {
    expect(at("/training/epochs")).toBe("0");
    expect(at("/training/optimizer/learningRate")).toBe("-1");
    expect(at("/matrix/topology.algorithm/1")).toBe("star");
    expect(at("/matrix/a~1b/0")).toBe("1");
  });

  it("is the name of a field with a long or empty value", () => {
    expect(at("/training")).toBe("training");
    expect(at("/empty")).toBe("empty");
  });

  it("is the nearest existing place for a missing value", () => {
    expect(at("/training/batchSize")).toBe("training");
    expect(at("/dataset")).toBe("");
    expect(at("")).toBe("");
    expect(at("/name/0")).toBe("mnist");
  });

  it("is also found in JSON", () => {
    expect(at("/training/epochs", '{"training": {"epochs": 0}}')).toBe("0");
  });

  it("has the broken rule", () => {
    expect(placed(read(TEXT), [{ pointer: "/training/epochs", rule: "must be from 1 to 100", value: 0 }])).toEqual([
      { from: 32, to: 33, message: "/training/epochs must be from 1 to 100" },
    ]);
  });

  it("is the syntax error of an unreadable text", () => {
    const [first] = misreadings(read("name: mnist\nname: again\n"));
    expect(first).toMatchObject({ from: 12 });
    expect(misreadings(read("just words"))).toHaveLength(1);
    expect(misreadings(read(""))).toEqual([]);
    expect(misreadings(read(TEXT))).toEqual([]);
  });

  it("decodes escaped pointers", () => {
    expect(namesOf("/a~1b/~0c/0")).toEqual(["a/b", "~c", "0"]);
    expect(namesOf("")).toEqual([]);
  });
});
