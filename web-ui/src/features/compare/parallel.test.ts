import { describe, expect, it } from "vitest";

import type { Schemas } from "@/api/schemas";

import { axesOf, defaultAxes, extentOf, numbersAlong, parallelOf, through, withOutcome } from "./parallel";
import type { Subject } from "./subjects";

function subject(id: string, values: Readonly<Record<string, string | number>>): Subject {
  const fields = new Map(Object.entries(values).map(([path, value]) => [path, String(value)] as const));
  return { id, name: id, state: "COMPLETED", replicas: 2, fields };
}

const SUBJECTS = [subject("a", { rate: 0.1, kind: "x", same: 1 }), subject("b", { rate: 0.02, same: 1 })];
const RUNS = [
  { run: "a", figures: { finalAccuracy: 0.9, trainingSeconds: 3, bytesSent: null } as Schemas["ComparedFigures"] },
  { run: "b", figures: { finalAccuracy: null, trainingSeconds: 4, bytesSent: null } as Schemas["ComparedFigures"] },
];

/** Differences of which the definitions write those at some paths. */
function differences(...written: string[]): Schemas["ComparedSubjects"]["differences"] {
  return ["rate", "kind", "every", "seed"].map((path) => ({
    path,
    name: path,
    written: written.includes(path),
    values: [],
  }));
}

describe("parallel coordinates", () => {
  it("have axes for settings that differ and for known outcomes", () => {
    const offered = axesOf(SUBJECTS, RUNS);

    expect(offered).toEqual({ settings: ["rate", "kind"], outcomes: ["finalAccuracy", "trainingSeconds"] });
    expect(defaultAxes(offered, differences("rate", "kind"), "mean")).toEqual([
      "rate",
      "kind",
      "finalAccuracy",
      "trainingSeconds",
    ]);
    expect(defaultAxes({ settings: [], outcomes: ["finalAccuracy", "replicaAccuracy"] }, [], "replicas")).toEqual([
      "replicaAccuracy",
    ]);
  });

  it("give each run a position on each axis, with few values in order", () => {
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

  it("begin with settings that definitions write, without the seed", () => {
    const seeds = [subject("a", { rate: 0.1, every: 1, seed: 1 }), subject("b", { rate: 0.2, every: 0, seed: 2 })];
    const offered = axesOf(seeds, RUNS);

    expect(offered.settings).toEqual(["rate", "every", "seed"]);
    expect(defaultAxes(offered, differences("rate", "seed"), "mean")).toEqual([
      "rate",
      "finalAccuracy",
      "trainingSeconds",
    ]);
  });

  it("leave out runs without any result", () => {
    const none = { finalAccuracy: null, trainingSeconds: null, bytesSent: null } as Schemas["ComparedFigures"];

    expect(withOutcome(SUBJECTS, [{ run: "a", figures: none }, ...RUNS.slice(1)])).toEqual(SUBJECTS.slice(1));
    expect(withOutcome(SUBJECTS, RUNS)).toEqual(SUBJECTS);
  });

  it("know the values along an axis of numbers", () => {
    const parallel = parallelOf(SUBJECTS, RUNS, ["rate", "finalAccuracy"]);

    expect(parallel.axes.map((axis) => numbersAlong(parallel, axis))).toEqual([[], [0.9]]);
  });

  it("select the runs inside all chosen ranges", () => {
    const parallel = parallelOf(SUBJECTS, RUNS, ["rate", "finalAccuracy"]);

    expect([...through(parallel, {})]).toEqual(["a", "b"]);
    expect([...through(parallel, { rate: [1, 1] })]).toEqual(["a"]);
    expect([...through(parallel, { rate: [0, 1], finalAccuracy: [0.5, 1] })]).toEqual(["a"]);
    expect([...through(parallel, { finalAccuracy: [0.95, 1] })]).toEqual([]);
  });

  it("have the extent of each axis", () => {
    const parallel = parallelOf(SUBJECTS, RUNS, ["rate", "trainingSeconds"]);

    expect(parallel.axes.map((axis) => extentOf(parallel, axis))).toEqual([
      [0, 1],
      [3, 4],
    ]);
  });

  it("have an axis of numbers for many values", () => {
    const many = Array.from({ length: 12 }, (_, index) => subject(index.toString(), { seed: index }));

    expect(parallelOf(many, [], ["seed"])).toMatchObject({
      axes: [{ values: undefined }],
      rows: { 3: { places: [3] } },
    });
  });
});
