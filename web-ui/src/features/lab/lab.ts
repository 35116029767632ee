import type { Role, Schemas } from "@/api/schemas";
import { NONE, percent, traffic } from "@/shared/format";

/** The roles that a member may have, the least first. */
export const MEMBER_ROLES = ["viewer", "editor", "owner"] as const satisfies readonly Role[];
export type MemberRole = (typeof MEMBER_ROLES)[number];

export type QuotaName = keyof Schemas["Quota"];

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

export interface UsageRow {
  readonly name: QuotaName;
  readonly label: string;
  readonly text: string;
  /** Of the bound, at most 1; null where there is no bound. */
  readonly fraction: number | null;
}

/** What a project uses of each bound; a bound of nothing is used up. */
export function usageRows(usage: Schemas["UsageView"]): readonly UsageRow[] {
  return QUOTAS.map(({ name, label, show }) => {
    const used = usage[name];
    const bound = usage.quota[name];
    if (bound === null) {
      return { name, label, text: `${show(used)}, without bound`, fraction: null };
    }
    const fraction = bound === 0 ? 1 : used / bound;
    const share = bound === 0 ? "" : `, ${percent(fraction)}`;
    return { name, label, text: `${show(used)} of ${show(bound)}${share}`, fraction: Math.min(1, fraction) };
  });
}

/** What the form of a quota holds: a figure, or an empty text for no bound. */
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
  const bound = (value: number | string): number | null => (value === "" ? null : Number(value));
  return {
    replicasAtOnce: bound(form.replicasAtOnce),
    queuedRuns: bound(form.queuedRuns),
    workerMinutesAWeek: bound(form.workerMinutesAWeek),
    storedBytes: bound(form.storedBytes),
  };
}

/** A name of the service as people read it: "member-set" is "member set". */
export function words(name: string): string {
  return name.replaceAll("-", " ");
}

/** What an entry of the audit tells beside: "role: editor, name: Ann". */
export function detailText(detail: Readonly<Record<string, unknown>>): string {
  const told = Object.entries(detail).filter(([, value]) => value !== null);
  return told.length === 0
    ? NONE
    : told.map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`).join(", ");
}

/** The command that starts an agent by a join token; a name that a shell would take apart is quoted. */
export function agentCommand(token: string, service: string, name: string): string {
  const quoted = /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;
  const named = name === "" ? "" : ` --name ${quoted}`;
  return `EQUIPOISE_JOIN_TOKEN=${token} ./equipoise agent --service ${service} --host ADDRESS${named}`;
}
