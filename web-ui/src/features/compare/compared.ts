import type { Schemas } from "@/api/schemas";

import type { RunGroup, Subject } from "./subjects";

/** What every tab draws. */
export interface Compared {
  readonly subjects: readonly Subject[];
  readonly groups: readonly RunGroup[];
  /** Some of the runs go on, so that figures are read again. */
  readonly isLive: boolean;
}

export interface WithFigures extends Compared {
  /** Without a target. */
  readonly comparison: Schemas["Comparison"];
}
