import type { RunSummary } from "@/api/schemas";

export const SORTS = ["queuedAt", "startedAt", "endedAt", "epochSeconds", "testAccuracy", "testLoss"] as const;
export type Sort = (typeof SORTS)[number] | `-${(typeof SORTS)[number]}`;

/** The order of the service: unknown values last, ascending or (with a minus) descending. */
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
