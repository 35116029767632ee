import type { Token } from "@/api/schemas";
import { moment } from "@/shared/format";
import { choice } from "@/shared/search";

/** The view of the account page. */
export interface AccountSearch {
  /** Whether to show the tokens of other users, which administrators may see. */
  readonly tokens?: "all";
}

export function accountSearch(given: Record<string, unknown>): AccountSearch {
  return choice(given, "tokens", ["all"]);
}

/** Returns the tokens of the caller, or all; with a service account token, returns all service account tokens. */
export function shownTokens(tokens: readonly Token[], account: string | null, areAll: boolean): readonly Token[] {
  return areAll ? tokens : tokens.filter(({ user }) => user === account);
}

export function expiry(expiresAt: string | null, now: number): string {
  if (expiresAt === null) {
    return "never";
  }
  return Date.parse(expiresAt) <= now ? `expired, ${moment(expiresAt)}` : moment(expiresAt);
}
