import { describe, expect, it } from "vitest";

import { keyHelpAt, type KeyHelp } from "./key-help";
import { SCHEMA } from "./testing-schema";

/** Returns the help at the bar in the text. */
function at(text: string): KeyHelp | null {
  return keyHelpAt(SCHEMA, text.replace("|", ""), text.indexOf("|"));
}

describe("the help of a field", () => {
  it("tells what the field under the pointer is, and where it is documented", () => {
    expect(at("training:\n  batch|Size: 32")).toEqual({
      from: 12,
      to: 21,
      path: "training.batchSize",
      about: "Mini-batch of each replica, in samples. Default: 64. From 1 to 8,192.",
      docs: { page: "methods" },
    });
    expect(at("synchro|nization: bsp")?.docs).toEqual({ page: "methods", anchor: "synchronization" });
  });

  it("is that of the chosen kind", () => {
    expect(at("synchronization: {kind: local-sgd, per|iod: 5}")?.about).toContain(
      "Rounds between two synchronizations.",
    );
    expect(at("synchronization: {kind: diloco, per|iod: 5}")?.about).toContain("Rounds between two outer steps.");
  });

  it("reaches into lists and the parameter grid", () => {
    expect(at("network: {layers: [{dense: {un|its: 5}}]}")?.path).toBe("network.layers.dense.units");
    expect(at("matrix:\n  training.bat|chSize: [1, 2]")).toMatchObject({
      path: "training.batchSize",
      docs: { page: "methods" },
    });
  });

  it("is missing beside names and for unknown ones", () => {
    expect(at("training: {epochs: 1|0}")).toBeNull();
    expect(at("train|ning: {epochs: 10}")).toBeNull();
    expect(at("# just| a comment")).toBeNull();
  });
});
