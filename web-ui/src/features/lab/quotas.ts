import type { Schemas } from "@/api/schemas";
import { percent, traffic } from "@/shared/format";

/** Name of one limit of a project. */
export type QuotaName = keyof Schemas["Quota"];

/** The limits of a project, in the order of display. */
export const QUOTAS: readonly {
  readonly name: QuotaName;
  readonly label: string;
  readonly show: (value: number) => string;
}[] = [
  { name: "replicasAtOnce", label: "Replicas at once", show: plain },
  { name: "queuedRuns", label: "Queued runs", show: plain },
  { name: "workerMinutesAWeek", label: "Worker-minutes in seven days", show: plain },
  { name: "storedBytes", label: "Stored bytes", show: traffic },
];

function plain(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: 1 });
}

/** One limit of a project with its current usage, as text. */
export interface UsageRow {
  readonly name: QuotaName;
  readonly label: string;
  readonly text: string;
  /** Fraction of the limit, at most 1; null without a limit. */
  readonly fraction: number | null;
}

/** Returns the usage of each limit; a limit of 0 is used up. */
export function usageRows(usage: Schemas["UsageView"]): readonly UsageRow[] {
  return QUOTAS.map(({ name, label, show }) => {
    const used = usage[name];
    const limit = usage.quota[name] ?? null;
    if (limit === null) {
      return { name, label, text: `${show(used)}, no limit`, fraction: null };
    }
    const fraction = limit === 0 ? 1 : used / limit;
    const share = limit === 0 ? "" : `, ${percent(fraction)}`;
    return { name, label, text: `${show(used)} of ${show(limit)}${share}`, fraction: Math.min(1, fraction) };
  });
}

/** Fields of the form of a quota: a number, or an empty text for no limit. */
export type QuotaForm = Readonly<Record<QuotaName, number | string>>;

export function quotaForm(quota: Schemas["Quota"]): QuotaForm {
  const { replicasAtOnce, queuedRuns, workerMinutesAWeek, storedBytes } = quota;
  return {
    replicasAtOnce: replicasAtOnce ?? "",
    queuedRuns: queuedRuns ?? "",
    workerMinutesAWeek: workerMinutesAWeek ?? "",
    storedBytes: storedBytes ?? "",
  };
}

export function quotaRequest(form: QuotaForm): Schemas["Quota"] {
  const limit = (value: number | string): number | null => (value === "" ? null : Number(value));
  return {
    replicasAtOnce: limit(form.replicasAtOnce),
    queuedRuns: limit(form.queuedRuns),
    workerMinutesAWeek: limit(form.workerMinutesAWeek),
    storedBytes: limit(form.storedBytes),
  };
}
