import { describe, expect, it } from "vitest";

import type { RunSummary } from "@/api/schemas";

import { joined, type Page } from "./ended-runs";

describe("ended runs", () => {
  it("are at first the first page", async () => {
    expect(await names([], [page("c", "b"), page("a")])).toEqual(["c", "b"]);
  });

  it("are read page by page until a known run, so that none is missed", async () => {
    const known = runs("c", "b");

    expect(await names(known, [page("g", "f"), page("e", "d"), page("c", "b"), page("a")])).toEqual([
      ..."gfedcb".split(""),
    ]);
  });

  it("omit runs that were deleted meanwhile", async () => {
    expect(await names(runs("c", "b", "a"), [page("c", "a")])).toEqual(["c", "a"]);
  });

  it("are read only up to the open runs, which follow them", async () => {
    const open = { id: "open", endedAt: null } as RunSummary;

    expect(await names(runs("a"), [{ items: [...runs("b"), open], next: "1" }, page("z")])).toEqual(["b", "a"]);
  });
});

async function names(known: readonly RunSummary[], pages: readonly Page[]): Promise<readonly string[]> {
  const read = (cursor: string | undefined): Promise<Page> => {
    const at = Number(cursor ?? 0);
    const { items = [] } = pages[at] ?? {};
    return Promise.resolve({ items, next: (at + 1).toString() });
  };
  return (await joined(known, read)).map(({ id }) => id);
}

function page(...ids: readonly string[]): Page {
  return { items: runs(...ids), next: null };
}

/** Each run ended in the minute of its letter. */
function runs(...ids: readonly string[]): RunSummary[] {
  return ids.map((id) => {
    const minute = (id.charCodeAt(0) - "a".charCodeAt(0)).toString().padStart(2, "0");
    return { id, endedAt: `2026-01-05T10:${minute}:00Z` } as RunSummary;
  });
}
