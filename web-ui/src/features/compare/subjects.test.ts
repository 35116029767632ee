import { describe, expect, it } from "vitest";

import { fieldsOf } from "./fields";
import { EQUAL, groupsOf, subjectsOf, type Subject } from "./subjects";

function subject(id: string, batchSize: number): Subject {
  return { id, name: `run ${id}`, state: "COMPLETED", replicas: 2, fields: fieldsOf({ training: { batchSize } }) };
}

const SUBJECTS = [subject("a", 10), subject("b", 20), subject("c", 10)];

describe("subjects", () => {
  it("have unique names", () => {
    const run = {
      experimentName: "mnist",
      position: 0,
      state: "COMPLETED",
      configuration: { workers: { replicas: 4 } },
    };
    const runs = ["a", "b"].map((id) => ({ ...run, id })) as unknown as Parameters<typeof subjectsOf>[0];

    expect(subjectsOf(runs).map(({ name, replicas }) => [name, replicas])).toEqual([
      ["mnist #1", 4],
      ["mnist #1 (2)", 4],
    ]);
  });
});

describe("groups", () => {
  it("are single runs by default", () => {
    expect(groupsOf(undefined, SUBJECTS, []).map(({ runs }) => runs)).toEqual([["a"], ["b"], ["c"]]);
  });

  it("have equal values of the field", () => {
    expect(groupsOf("training.batchSize", SUBJECTS, []).map(({ label, runs }) => [label, runs])).toEqual([
      ["batchSize 10", ["a", "c"]],
      ["batchSize 20", ["b"]],
    ]);
  });

  it("are the seed groups of the service", () => {
    const groups = groupsOf(EQUAL, SUBJECTS, [{ label: "batch=10", runs: ["a", "c"] }]);

    expect(groups).toEqual([{ key: "0", label: "batch=10", runs: ["a", "c"] }]);
  });
});
