import type { Schemas } from "@/api/schemas";

/** Fields of the form of a join token. */
export interface JoinTokenForm {
  readonly name: string;
  /** Number of agents, as typed. */
  readonly uses: string;
  /** In the time zone of the browser; empty for the usual life of a day. */
  readonly expires: string;
}

export const NEW_JOIN_TOKEN: JoinTokenForm = { name: "", uses: "1", expires: "" };

export function joinTokenRequest({ name, uses, expires }: JoinTokenForm): Schemas["NewJoinToken"] {
  return {
    name: name.trim() === "" ? null : name.trim(),
    uses: uses === "" ? null : Number(uses),
    expiresAt: expires === "" ? null : new Date(expires).toISOString(),
  };
}

/** Tells whether a join token still admits agents, and until when. */
export function validity({ admitted, uses, expiresAt }: Schemas["JoinTokenEntry"], now: number): string {
  if (admitted >= uses) {
    return "Used up";
  }
  return Date.parse(expiresAt) <= now ? "Expired" : "Valid";
}
