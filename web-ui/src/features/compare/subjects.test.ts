import { describe, expect, it } from "vitest";

import { EACH, EQUAL, groupingOf, groupsOf, subjectsOf, type GroupedSubject } from "./subjects";

function subject(id: string, group: number, batchSize: number): GroupedSubject {
  return {
    id,
    name: `batchSize ${batchSize.toString()}, seed ${id}`,
    label: `batchSize ${batchSize.toString()}`,
    group,
    state: "COMPLETED",
    replicas: 2,
    fields: new Map([["training.batchSize", batchSize.toString()]]),
  };
}

const SUBJECTS = [subject("1", 0, 10), subject("2", 1, 20), subject("3", 0, 10)];

describe("subjects", () => {
  it("have the names of the service and the values in which they differ", () => {
    const [first, second] = subjectsOf({
      items: [
        { run: "a", name: "bsp", label: "bsp", group: 0, state: "COMPLETED", seed: 1, replicas: 4, place: null },
        { run: "b", name: "async", label: "async", group: 1, state: "QUEUED", seed: 1, replicas: 4, place: 2 },
      ],
      differences: [
        { path: "synchronization.kind", name: "method", written: true, values: ["bsp", "async"] },
        { path: "synchronization.bound", name: "bound", written: true, values: [null, "3"] },
      ],
    });

    expect(first?.name).toBe("bsp");
    expect([...(first?.fields ?? [])]).toEqual([["synchronization.kind", "bsp"]]);
    expect([...(second?.fields ?? [])]).toEqual([
      ["synchronization.kind", "async"],
      ["synchronization.bound", "3"],
    ]);
  });
});

describe("groups", () => {
  it("are seed groups by default if one has two runs, else single runs", () => {
    expect(groupingOf(undefined, SUBJECTS)).toBe(EQUAL);
    expect(groupingOf(undefined, SUBJECTS.slice(0, 2))).toBe(EACH);
    expect(groupingOf(EACH, SUBJECTS)).toBe(EACH);
  });

  it("are single runs with their names", () => {
    expect(groupsOf(EACH, SUBJECTS)[0]).toEqual({ key: "1", label: "batchSize 10, seed 1", runs: ["1"] });
  });

  it("have equal values of the field", () => {
    expect(groupsOf("training.batchSize", SUBJECTS).map(({ label, runs }) => [label, runs])).toEqual([
      ["batchSize 10", ["1", "3"]],
      ["batchSize 20", ["2"]],
    ]);
  });

  it("are the seed groups of the service", () => {
    expect(groupsOf(EQUAL, SUBJECTS)).toEqual([
      { key: "0", label: "batchSize 10", runs: ["1", "3"] },
      { key: "1", label: "batchSize 20", runs: ["2"] },
    ]);
  });
});
