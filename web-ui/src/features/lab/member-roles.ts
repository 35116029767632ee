import type { Role } from "@/api/schemas";

/** Roles of a member, from the lowest. */
export const MEMBER_ROLES = ["viewer", "editor", "owner"] as const satisfies readonly Role[];
export type MemberRole = (typeof MEMBER_ROLES)[number];
