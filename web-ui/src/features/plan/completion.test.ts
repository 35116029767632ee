import { describe, expect, it } from "vitest";

import { proposalsAt } from "./completion";
import type { Proposal } from "./definition-schema";
import { SCHEMA } from "./testing-schema";

function optionsAt(text: string): readonly Proposal[] {
  return proposalsAt(SCHEMA, text.replace("|", ""), text.indexOf("|"))?.options ?? [];
}

/** Returns the labels of the proposals at the bar in the text. */
function at(text: string): readonly string[] {
  return optionsAt(text).map(({ label }) => label);
}

/** Returns the description of a proposal at the bar in the text. */
function about(text: string, label: string): string | undefined {
  return optionsAt(text).find((option) => option.label === label)?.about;
}

describe("completion", () => {
  it("proposes the missing fields of a definition", () => {
    expect(at("|")).toEqual(expect.arrayContaining(["name", "training", "topology", "matrix", "seeds", "priority"]));
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
    expect(at("synchronization:\n  kind: local-sgd\n  |")).not.toContain("overlap");
    expect(at("synchronization: {kind: local-sgd, order: |}")).toContain("step-then-average");
    expect(at("dataset:\n  name: synthetic\n  |")).toContain("features");
    expect(at("network:\n  preset: lstm-lm\n  |")).toEqual(["hidden"]);
  });

  it("proposes what an object without a kind begins with", () => {
    expect(at("network:\n  |")).toEqual(["preset", "layers"]);
    expect(at("network:\n  layers:\n    - |")).toEqual(expect.arrayContaining(["dense", "conv2d", "relu"]));
    expect(at("network: {layers: [{dense: 5}, |]}")).toEqual(expect.arrayContaining(["relu", "flatten"]));
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
    expect(proposalsAt(SCHEMA, "synchronization: local-s", 24)).toMatchObject({ from: 17, areFields: false });
    expect(proposalsAt(SCHEMA, "matrix:\n  training.ba", 21)).toMatchObject({ from: 10, areFields: true });
  });

  it("proposes dotted paths in the parameter grid, and the words of their values", () => {
    const paths = at("matrix:\n  trai|");
    expect(paths).toEqual(
      expect.arrayContaining(["training.batchSize", "training.optimizer.learningRate", "synchronization.period"]),
    );
    expect(paths).not.toContain("seeds");
    expect(paths).not.toContain("name");
    expect(at("matrix:\n  training.batchSize: [1, 2]\n  t|")).not.toContain("training.batchSize");
    expect(at("matrix: {synchronization: [|]}")).toContain("diloco");
    expect(at("matrix: {training.optimizer.kind: [sgd, |]}")).toEqual(["sgd", "adam", "adamw"]);
    expect(at("matrix:\n  synchronization:\n    - kind: local-sgd\n      |")).toContain("period");
  });

  it("describes fields with their defaults and limits", () => {
    expect(about("training:\n  |", "batchSize")).toBe(
      "Mini-batch of each replica, in samples. Default: 64. From 1 to 8,192.",
    );
    expect(about("training: {optimizer: {kind: adam, |}}", "learningRate")).toBe(
      "Learning rate. Default: 0.001. Above 0, at most 1,000.",
    );
    expect(about("|", "seed")).toMatch(/A whole number of 64 bits\.$/);
    expect(about("matrix:\n  |", "synchronization.period")).toContain("Rounds between");
  });

  it("describes words", () => {
    expect(about("synchronization: |", "local-sgd")).toMatch(/^Local SGD\./);
    expect(about("synchronization: {kind: |}", "diloco")).toMatch(/^DiLoCo\./);
    expect(about("dataset: {name: |}", "brown")).toContain("American English");
  });
});
