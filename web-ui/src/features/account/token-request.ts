import type { Role, Schemas } from "@/api/schemas";

/** Fields of the form of a token. */
export interface TokenForm {
  readonly name: string;
  /** Empty for all projects. */
  readonly project: string;
  readonly role: Role;
  /** In the time zone of the browser; empty if the token never expires. */
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

/** Describes the role that bounds a token. The user's own role bounds it anyway, so the highest role is no bound. */
export function boundText(role: Role): string {
  return role === "administrator" ? "All my permissions" : `At most ${role}`;
}
