import type { Run } from "@/api/schemas";
import { moment } from "@/shared/format";

type Queued = Pick<Run, "waiting" | "predictedStart">;

const UNKNOWN = "unknown, as a run before it may take any time";

/** Why a run has no predicted start, by the code of its wait reason. */
const WITHOUT_START: Readonly<Record<string, string>> = {
  queued: "not predicted yet",
  unsatisfiable: "never with the workers of the lab",
  "unreachable-workers": "not before its workers reach one another",
  "cluster-forming": "as soon as its workers see one another",
  "too-few-workers": "not before workers are uncordoned",
  "quota-replicas": "not before other runs of the project end",
  "quota-worker-minutes": "not before the project is below its quota",
};

/** Tells when a queued run is expected to start, or why that is unknown. */
export function expectedStart({ waiting, predictedStart }: Queued): string {
  return predictedStart == null ? (WITHOUT_START[waiting?.code ?? ""] ?? UNKNOWN) : moment(predictedStart);
}
