import { ServiceProblem } from "@/api/problem";

import { capitalized } from "./format";

/** Returns the broken rule of the field at this JSON pointer, as a sentence; undefined if there is none. */
export function violationAt(error: Error | null, pointer: string): string | undefined {
  const rule =
    error instanceof ServiceProblem ? error.violations.find((each) => each.pointer === pointer)?.rule : undefined;
  return rule === undefined ? undefined : `${capitalized(rule)}.`;
}
