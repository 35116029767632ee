import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { proposalsAt } from "./completion";
import { descriptionOf } from "./definition-schema";

const DESCRIPTION = descriptionOf(JSON.parse(readFileSync("openapi/openapi.json", "utf8")));

/** Returns the proposals at the bar in the text. */
function at(text: string): readonly string[] {
  const position = text.indexOf("|");
  if (DESCRIPTION === null) {
    throw new Error("The description has no definitions");
  }
  return proposalsAt(DESCRIPTION, text.replace("|", ""), position)?.labels ?? [];
}

describe("completion", () => {
  it("proposes the missing fields of a definition", () => {
    expect(at("|")).toEqual(expect.arrayContaining(["name", "training", "topology"]));
    const more = at("name: m\ntra|");
    expect(more).toContain("training");
    expect(more).not.toContain("name");
    expect(more).not.toContain("automatic");
  });

  it("proposes the fields of an object, on lines and in braces", () => {
    expect(at("training:\n  |")).toContain("epochs");
    expect(at("training:\n  epochs: 5\n  b|")).toEqual(["batchSize", "loss", "optimizer"]);
    expect(at("training: {epochs: 5, b|}")).toContain("batchSize");
  });

  it("proposes the words of a value", () => {
    expect(at("channel: |")).toEqual(["direct", "hazelcast"]);
    expect(at("channel: dir|\nname: m")).toEqual(["direct", "hazelcast"]);
    expect(at("training: {loss: {kind: |}}")).toContain("squared-error");
    expect(at("trace: |")).toEqual(["true", "false"]);
    expect(at("dataset: {name: |}")).toContain("mnist");
  });

  it("proposes the kinds of a choice, in short and long form", () => {
    expect(at("synchronization: |")).toContain("local-sgd");
    expect(at("synchronization:\n  |")).toEqual(["kind"]);
    expect(at("synchronization: {kind: |}")).toContain("local-sgd");
    expect(at("dataset: |")).toEqual([]);
  });

  it("proposes the fields of the chosen kind", () => {
    expect(at("synchronization:\n  kind: local-sgd\n  |")).toEqual(expect.arrayContaining(["period", "momentum"]));
    expect(at("synchronization: {kind: local-sgd, order: |}")).toContain("step-then-average");
  });

  it("proposes fields inside the elements of a list", () => {
    expect(at("heterogeneity:\n  links:\n    - |")).toContain("megabytesPerSecond");
  });

  it("proposes nothing in unknown places", () => {
    expect(at("name: |")).toEqual([]);
    expect(at("unknown:\n  |")).toEqual([]);
    expect(at("# rem|")).toEqual([]);
  });

  it("replaces the whole word", () => {
    expect(DESCRIPTION && proposalsAt(DESCRIPTION, "synchronization: local-s", 24)).toMatchObject({
      from: 17,
      areFields: false,
    });
  });
});
