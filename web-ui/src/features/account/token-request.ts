import type { Role, Schemas } from "@/api/schemas";

/** What the form of a token holds. */
export interface TokenForm {
  readonly name: string;
  /** Empty for all projects. */
  readonly project: string;
  readonly role: Role;
  /** In the time of this browser, without a zone; empty where the token never expires. */
  readonly expires: string;
  readonly standsAlone: boolean;
}

export const NEW_TOKEN: TokenForm = { name: "", project: "", role: "administrator", expires: "", standsAlone: false };

export function tokenRequest({ name, project, role, expires, standsAlone }: TokenForm): Schemas["NewToken"] {
  return {
    name: name.trim(),
    project: project === "" ? null : project,
    role,
    expiresAt: expires === "" ? null : new Date(expires).toISOString(),
    standsAlone,
  };
}

/** The role that bounds a token; its user's own role bounds it anyway, so that the highest is no bound. */
export function boundText(role: Role): string {
  return role === "administrator" ? "All that I may" : `At most ${role}`;
}
