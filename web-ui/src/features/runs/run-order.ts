import type { RunSummary } from "@/api/schemas";

export const SORTS = ["queuedAt", "startedAt", "endedAt", "epochSeconds", "testAccuracy", "testLoss"] as const;
export type Sort = (typeof SORTS)[number] | `-${(typeof SORTS)[number]}`;

/** The service's own order: what is not known stands last, from the least or (with a minus) from the most. */
export function compareRuns(a: RunSummary, b: RunSummary, sort: Sort): number {
  const isFalling = sort.startsWith("-");
  const field = SORTS.find((each) => sort.endsWith(each)) ?? "queuedAt";
  const [left, right] = [value(a[field]), value(b[field])];
  if (left === null || right === null) {
    return Number(left === null) - Number(right === null);
  }
  return isFalling ? right - left : left - right;
}

function value(of: string | number | null): number | null {
  return typeof of === "string" ? Date.parse(of) : of;
}
