import { useQuery, type UseMutationResult, type UseQueryResult } from "@tanstack/react-query";

import { useApi } from "@/api/api-context";
import { answer, done, type Api } from "@/api/client";
import type { Project, Schemas, User } from "@/api/schemas";
import { CALM } from "@/shared/polling";
import { useChange } from "@/shared/use-change";

import type { MemberRole } from "./member-roles";

type Change<Variables = void, Result = void> = UseMutationResult<Result, Error, Variables>;

type Amendment = Schemas["UserAmendment"];

const PAGE = 100;
const PROJECTS = ["projects"];
const USERS = ["users"];
const AUDIT = ["audit"];
const CALLER = ["caller"];

export function useAudit(
  project: string | undefined,
  cursor: string | undefined,
): UseQueryResult<Schemas["AuditList"]> {
  const api = useApi();
  const query = { limit: PAGE, ...(project !== undefined && { project }), ...(cursor !== undefined && { cursor }) };
  return useQuery({
    queryKey: [...AUDIT, project, cursor],
    queryFn: ({ signal }) => answer(api.GET("/api/v1/audit", { params: { query }, signal })),
  });
}

export function useProject(id: string): UseQueryResult<Project> {
  const api = useApi();
  return useQuery({
    queryKey: [...PROJECTS, id],
    queryFn: ({ signal }) => answer(api.GET("/api/v1/projects/{id}", { params: { path: { id } }, signal })),
    refetchInterval: CALM,
  });
}

export function useMembers(id: string): UseQueryResult<readonly Schemas["Member"][]> {
  const api = useApi();
  return useQuery({
    queryKey: [...PROJECTS, id, "members"],
    queryFn: async ({ signal }) =>
      (await answer(api.GET("/api/v1/projects/{id}/members", { params: { path: { id } }, signal }))).items,
    refetchInterval: CALM,
  });
}

export function useUsage(project: string): UseQueryResult<Schemas["UsageView"]> {
  const api = useApi();
  return useQuery({
    queryKey: [...PROJECTS, project, "usage"],
    queryFn: ({ signal }) =>
      answer(api.GET("/api/v1/projects/{project}/usage", { params: { path: { project } }, signal })),
    refetchInterval: CALM,
  });
}

export function useNewProject(): Change<string, Project> {
  return useChange(
    (api, name: string) => answer(api.POST("/api/v1/projects", { body: { name } })),
    PROJECTS,
    CALLER,
    AUDIT,
  );
}

export function useRenaming(id: string): Change<string, Project> {
  return useChange(
    (api, name: string) => answer(api.PATCH("/api/v1/projects/{id}", { params: { path: { id } }, body: { name } })),
    PROJECTS,
    AUDIT,
  );
}

export function useNewQuota(id: string): Change<Schemas["Quota"], Project> {
  return useChange(
    (api, body: Schemas["Quota"]) => answer(api.PUT("/api/v1/projects/{id}/quota", { params: { path: { id } }, body })),
    PROJECTS,
    AUDIT,
  );
}

export interface Membership {
  readonly user: string;
  readonly role: MemberRole;
}

/** Makes a user a member, or changes the role of a member, who may be the caller. */
export function useMembership(id: string): Change<Membership, Schemas["Member"]> {
  return useChange(
    (api, { user, role }: Membership) =>
      answer(api.PUT("/api/v1/projects/{id}/members/{user}", { params: { path: { id, user } }, body: { role } })),
    PROJECTS,
    CALLER,
    AUDIT,
  );
}

export function useRemoval(id: string, user: string): Change {
  return useChange(
    (api) => done(api.DELETE("/api/v1/projects/{id}/members/{user}", { params: { path: { id, user } } })),
    PROJECTS,
    CALLER,
    AUDIT,
  );
}

export function useNewUser(): Change<Schemas["NewUser"], User> {
  return useChange((api, body: Schemas["NewUser"]) => answer(api.POST("/api/v1/users", { body })), USERS, AUDIT);
}

/** Changes properties of a user; omitted ones stay. */
export function useAmendment(id: string): Change<Amendment, User> {
  return useChange((api, changed: Amendment) => amend(api, id, changed), USERS, CALLER, AUDIT);
}

/** A change of a user that is known in advance. */
export function useFixedAmendment(id: string, changed: Amendment): Change<void, User> {
  return useChange((api) => amend(api, id, changed), USERS, CALLER, AUDIT);
}

function amend(api: Api, id: string, changed: Amendment): Promise<User> {
  return answer(api.PATCH("/api/v1/users/{id}", { params: { path: { id } }, body: changed }));
}

export function useDeletion(id: string): Change {
  return useChange(
    (api) => done(api.DELETE("/api/v1/users/{id}", { params: { path: { id } } })),
    USERS,
    PROJECTS,
    AUDIT,
  );
}
