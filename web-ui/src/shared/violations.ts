import { ServiceProblem } from "@/api/problem";

import { capitalised } from "./format";

/** What the service says of the field at this JSON pointer, as a sentence; undefined where it is content with it. */
export function violationAt(error: Error | null, pointer: string): string | undefined {
  const rule =
    error instanceof ServiceProblem ? error.violations.find((each) => each.pointer === pointer)?.rule : undefined;
  return rule === undefined ? undefined : `${capitalised(rule)}.`;
}
