import { describe, expect, it } from "vitest";

import type { Schemas } from "@/api/schemas";

import { withEarlier, withNewest, type LogLines } from "./log-lines";

describe("the lines of a log", () => {
  it("are the newest page at first, with a cursor to earlier lines", () => {
    const known = withNewest(undefined, page([7, 6, 5], "before 5"));

    expect(ids(known)).toEqual([5, 6, 7]);
    expect(known.earlier).toBe("before 5");
  });

  it("append new lines, and keep earlier ones", () => {
    const known = withEarlier(withNewest(undefined, page([7, 6, 5], "before 5")), page([4, 3], null));

    const later = withNewest(known, page([9, 8, 7], "before 7"));

    expect(ids(later)).toEqual([3, 4, 5, 6, 7, 8, 9]);
    expect(later.earlier).toBeNull();
  });

  it("start again if more lines came than a page has, so that there is no gap", () => {
    const later = withNewest(withNewest(undefined, page([3, 2, 1], null)), page([9, 8, 7], "before 7"));

    expect(ids(later)).toEqual([7, 8, 9]);
    expect(later.earlier).toBe("before 7");
  });

  it("are empty for a run without lines", () => {
    expect(ids(withNewest(withNewest(undefined, page([], null)), page([1], null)))).toEqual([1]);
  });
});

function page(newestFirst: readonly number[], next: string | null): Schemas["LogPage"] {
  return { items: newestFirst.map((id) => ({ id, at: "", rank: null, worker: null, text: "" })), next };
}

function ids({ lines }: LogLines): readonly number[] {
  return lines.map(({ id }) => id);
}
