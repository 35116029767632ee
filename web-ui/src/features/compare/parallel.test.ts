import { describe, expect, it } from "vitest";

import type { Schemas } from "@/api/schemas";

import { fieldsOf } from "./fields";
import { axesOf, extentOf, parallelOf, through, usualAxes } from "./parallel";
import type { Subject } from "./subjects";

function subject(id: string, configuration: object): Subject {
  return { id, name: id, state: "COMPLETED", replicas: 2, fields: fieldsOf(configuration) };
}

const SUBJECTS = [subject("a", { rate: 0.1, kind: "x", same: 1 }), subject("b", { rate: 0.02, same: 1 })];
const RUNS = [
  { run: "a", figures: { finalAccuracy: 0.9, trainingSeconds: 3, bytesSent: null } as Schemas["Figures"] },
  { run: "b", figures: { finalAccuracy: null, trainingSeconds: 4, bytesSent: null } as Schemas["Figures"] },
];

describe("parallel coordinates", () => {
  it("have settings that differ and outcomes that are known", () => {
    const offered = axesOf(SUBJECTS, RUNS);

    expect(offered).toEqual({ settings: ["rate", "kind"], outcomes: ["finalAccuracy", "trainingSeconds"] });
    expect(usualAxes(offered)).toEqual(["rate", "kind", "finalAccuracy", "trainingSeconds"]);
  });

  it("put each run in its place, few values in their order", () => {
    expect(parallelOf(SUBJECTS, RUNS, ["rate", "kind", "finalAccuracy", "gone"])).toEqual({
      axes: [
        { name: "rate", values: ["0.02", "0.1"] },
        { name: "kind", values: ["–", "x"] },
        { name: "finalAccuracy", values: undefined },
      ],
      rows: [
        { run: "a", places: ["0.1", "x", 0.9] },
        { run: "b", places: ["0.02", "–", null] },
      ],
    });
  });

  it("are those that go through all wanted stretches, values by their order", () => {
    const parallel = parallelOf(SUBJECTS, RUNS, ["rate", "finalAccuracy"]);

    expect([...through(parallel, {})]).toEqual(["a", "b"]);
    expect([...through(parallel, { rate: [1, 1] })]).toEqual(["a"]);
    expect([...through(parallel, { rate: [0, 1], finalAccuracy: [0.5, 1] })]).toEqual(["a"]);
    expect([...through(parallel, { finalAccuracy: [0.95, 1] })]).toEqual([]);
  });

  it("know how far each axis goes", () => {
    const parallel = parallelOf(SUBJECTS, RUNS, ["rate", "trainingSeconds"]);

    expect(parallel.axes.map((axis) => extentOf(parallel, axis))).toEqual([
      [0, 1],
      [3, 4],
    ]);
  });

  it("have an axis of numbers where there are many", () => {
    const many = Array.from({ length: 12 }, (_, index) => subject(index.toString(), { seed: index }));

    expect(parallelOf(many, [], ["seed"])).toMatchObject({
      axes: [{ values: undefined }],
      rows: { 3: { places: [3] } },
    });
  });
});
