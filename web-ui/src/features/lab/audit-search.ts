import { text } from "@/shared/search";

/** Which part of the audit is in view: the newest, or what is older than the service's cursor says. */
export interface AuditSearch {
  readonly older?: string;
}

export function auditSearch(given: Record<string, unknown>): AuditSearch {
  return text(given, "older");
}
