import { describe, expect, it } from "vitest";

import { field, isReadable, planRequest, read, withField, withSettings, write } from "./definition-text";

const TEXT = `# the lab's own
name: mnist
training:
  epochs: 5 # enough
partitioning: equal
`;

describe("a definition's text", () => {
  it("is readable as YAML and as JSON if it is an object", () => {
    expect(isReadable(read(TEXT))).toBe(true);
    expect(isReadable(read('{"name": "mnist"}'))).toBe(true);
    expect(isReadable(read("mnist"))).toBe(false);
    expect(isReadable(read("a: 1\na: 2"))).toBe(false);
    expect(isReadable(read(""))).toBe(false);
  });

  it("is written with short objects and lists on one line", () => {
    const text = write({
      name: "m",
      workers: { replicas: 2 },
      seeds: [1, 2],
      training: { epochs: 5, optimizer: { kind: "sgd" } },
    });

    expect(text).toBe(`name: m
workers: { replicas: 2 }
seeds: [ 1, 2 ]
training:
  epochs: 5
  optimizer: { kind: sgd }
`);
  });

  it("keeps its comments when a field changes, is added or is removed", () => {
    expect(withField(TEXT, "name", "other")).toBe(TEXT.replace("mnist", "other"));
    expect(withField(TEXT, "priority", 3)).toBe(`${TEXT}priority: 3\n`);
    expect(withField(TEXT, "partitioning", undefined)).toBe(TEXT.replace("partitioning: equal\n", ""));
  });

  it("has its fields, and all digits of a seed", () => {
    expect(field(read(TEXT), "name")).toBe("mnist");
    expect(field(read(TEXT), "seeds")).toBeUndefined();
    expect(field(read("seeds: [9007199254740993]"), "seeds")).toEqual([9007199254740993n]);
  });

  it("is sent unchanged with a plan", () => {
    expect(read(planRequest("name: m\nseed: 9007199254740993\n", 0.95)).toJS()).toEqual({
      definition: { name: "m", seed: 9007199254740993n },
      target: 0.95,
    });
    expect(planRequest("name: m\n", undefined)).not.toContain("target");
  });
});

describe("the settings of a plan's entry", () => {
  it("replace the values of the definition", () => {
    const text = withSettings(TEXT, ['synchronization={"kind":"local-sgd","period":4}', "workers.replicas=2"]);

    expect(read(text).toJS({ maxAliasCount: 0 })).toMatchObject({
      synchronization: { kind: "local-sgd", period: 4n },
      workers: { replicas: 2n },
    });
    expect(text).toContain("# enough");
  });

  it("expand a short form on their path", () => {
    expect(read(withSettings("partitioning: batch-counts\n", ["partitioning.counts=[1,2]"])).toJS()).toEqual({
      partitioning: { kind: "batch-counts", counts: [1n, 2n] },
    });
  });

  it("end the sweep of their fields, and keep other sweeps", () => {
    const text = `topology: all-reduce
matrix:
  topology.algorithm: [ring, tree]
  training.batchSize: [32, 64]
`;

    expect(read(withSettings(text, ['topology={"kind":"gossip"}'])).toJS()).toEqual({
      topology: { kind: "gossip" },
      matrix: { "training.batchSize": [32n, 64n] },
    });
    expect(
      read(withSettings("matrix: {partitioning: [functional, equal]}", ['partitioning.model="akima"'])).toJS(),
    ).toEqual({
      partitioning: { kind: "functional", model: "akima" },
    });
  });

  it("change nothing if there are none", () => {
    expect(withSettings("name:   m", [])).toBe("name:   m");
  });
});
