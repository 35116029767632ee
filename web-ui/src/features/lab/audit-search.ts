import { text } from "@/shared/search";

/** The part of the audit in view: the newest entries, or those older than a cursor of the service. */
export interface AuditSearch {
  readonly older?: string;
}

export function auditSearch(given: Record<string, unknown>): AuditSearch {
  return text(given, "older");
}
