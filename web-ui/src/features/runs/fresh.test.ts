import { describe, expect, it } from "vitest";

import type { RunSummary } from "@/api/schemas";

import { fresh } from "./fresh";

describe("fresh", () => {
  it("keeps the order in which runs were listed, with the figures of now", () => {
    const { rows, newcomers } = fresh(
      [run("b", 2, "QUEUED"), run("a", 1, "QUEUED")],
      [run("a", 1, "RUNNING")],
      undefined,
    );

    expect(rows.map(({ id, state }) => [id, state])).toEqual([
      ["b", "QUEUED"],
      ["a", "RUNNING"],
    ]);
    expect(newcomers).toBe(0);
  });

  it("counts runs that are not in the list, and puts none of them into it", () => {
    const { rows, newcomers } = fresh(
      [run("a", 1, "COMPLETED")],
      [run("c", 3, "QUEUED"), run("b", 2, "RUNNING")],
      undefined,
    );

    expect(rows).toHaveLength(1);
    expect(newcomers).toBe(2);
  });

  it("counts those alone that are in a wanted state, and that the list has not just left for a later page", () => {
    const { newcomers } = fresh(
      [run("b", 5, "FAILED")],
      [run("c", 6, "RUNNING"), run("d", 7, "FAILED"), run("a", 1, "FAILED")],
      ["FAILED"],
    );

    expect(newcomers).toBe(1);
  });

  it("does not let an older answer begin again what has ended", () => {
    const ended = { ...run("a", 1, "COMPLETED"), endedAt: "2026-01-05T10:00:00Z" };

    expect(fresh([ended], [run("a", 1, "RUNNING")], undefined).rows).toEqual([ended]);
  });

  it("keeps the objects of runs of which nothing was heard", () => {
    const listed = run("a", 1, "QUEUED");

    expect(fresh([listed], [], undefined).rows[0]).toBe(listed);
  });
});

function run(id: string, minute: number, state: RunSummary["state"]): RunSummary {
  return { id, state, queuedAt: `2026-01-05T09:0${minute.toString()}:00Z`, endedAt: null } as RunSummary;
}
