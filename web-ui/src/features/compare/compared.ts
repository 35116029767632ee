import type { Schemas } from "@/api/schemas";

import type { RunGroup, Subject } from "./subjects";

/** The data that every tab draws. */
export interface Compared {
  readonly subjects: readonly Subject[];
  /** Fields in which the runs differ. */
  readonly differences: Schemas["ComparedSubjects"]["differences"];
  readonly groups: readonly RunGroup[];
  /** Whether some runs are still open, so that figures are polled. */
  readonly isLive: boolean;
}

export interface WithFigures extends Compared {
  /** Figures without a target. */
  readonly comparison: Schemas["Comparison"];
}
