import type { Token } from "@/api/schemas";
import { moment } from "@/shared/format";
import { choice } from "@/shared/search";

/** What of the account is in view. */
export interface AccountSearch {
  /** The tokens of others as well, which administrators see. */
  readonly tokens?: "all";
}

export function accountSearch(given: Record<string, unknown>): AccountSearch {
  return choice(given, "tokens", ["all"]);
}

/** Those of the caller, or all; whoever goes by a token that stands alone has those that stand alone. */
export function shownTokens(tokens: readonly Token[], account: string | null, areAll: boolean): readonly Token[] {
  return areAll ? tokens : tokens.filter(({ user }) => user === account);
}

export function expiry(expiresAt: string | null, now: number): string {
  if (expiresAt === null) {
    return "never";
  }
  return Date.parse(expiresAt) <= now ? `expired, ${moment(expiresAt)}` : moment(expiresAt);
}
