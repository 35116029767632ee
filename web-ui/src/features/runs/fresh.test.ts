import { describe, expect, it } from "vitest";

import type { RunSummary } from "@/api/schemas";

import { fresh, type Listed } from "./fresh";

describe("fresh", () => {
  it("keeps the listed order, with current figures", () => {
    const { rows, newcomers } = fresh(
      listed(run("b", 2, "QUEUED"), run("a", 1, "QUEUED")),
      [run("a", 1, "RUNNING")],
      undefined,
    );

    expect(rows.map(({ id, state }) => [id, state])).toEqual([
      ["b", "QUEUED"],
      ["a", "RUNNING"],
    ]);
    expect(newcomers).toBe(0);
  });

  it("counts new runs, and does not insert them", () => {
    const { rows, newcomers } = fresh(
      listed(run("a", 1, "COMPLETED")),
      [run("c", 3, "QUEUED"), run("b", 2, "RUNNING")],
      undefined,
    );

    expect(rows).toHaveLength(1);
    expect(newcomers).toBe(2);
  });

  it("counts only runs in a chosen state that do not belong to a later page", () => {
    const { newcomers } = fresh(
      { ...listed(run("b", 5, "FAILED")), hasMore: true },
      [run("c", 6, "RUNNING"), run("d", 7, "FAILED"), run("a", 1, "FAILED")],
      ["FAILED"],
    );

    expect(newcomers).toBe(1);
  });

  it("decides by the sort order what belongs to a later page", () => {
    const best = { ...listed(accurate("b", 0.9)), sort: "-testAccuracy", hasMore: true } as const;

    const { newcomers } = fresh(best, [accurate("c", 0.95), accurate("d", 0.8), accurate("e", null)], undefined);

    expect(newcomers).toBe(1);
  });

  it("counts all new runs of a complete list, in any order", () => {
    const oldest = { ...listed(run("b", 5, "FAILED")), sort: "queuedAt" } as const;

    expect(fresh(oldest, [run("c", 6, "QUEUED")], undefined).newcomers).toBe(1);
  });

  it("ignores an older state of an ended run", () => {
    const ended = { ...run("a", 1, "COMPLETED"), endedAt: "2026-01-05T10:00:00Z" };

    expect(fresh(listed(ended), [run("a", 1, "RUNNING")], undefined).rows).toEqual([ended]);
  });

  it("keeps the objects of unchanged runs", () => {
    const kept = run("a", 1, "QUEUED");

    expect(fresh(listed(kept), [], undefined).rows[0]).toBe(kept);
  });
});

function listed(...rows: readonly RunSummary[]): Listed {
  return { rows, sort: "-queuedAt", hasMore: false };
}

function accurate(id: string, testAccuracy: number | null): RunSummary {
  return { ...run(id, 1, "COMPLETED"), testAccuracy };
}

function run(id: string, minute: number, state: RunSummary["state"]): RunSummary {
  return { id, state, queuedAt: `2026-01-05T09:0${minute.toString()}:00Z`, endedAt: null } as RunSummary;
}
