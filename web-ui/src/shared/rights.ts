import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import type { Caller, Role } from "@/api/schemas";

const ORDER: readonly Role[] = ["viewer", "editor", "owner", "administrator"];

/** Reads the caller. */
export function useCaller(): UseQueryResult<Caller> {
  const api = useApi();
  return useQuery({
    queryKey: ["caller"],
    queryFn: ({ signal }) => answer(api.GET("/api/v1/me", { signal })),
    staleTime: Infinity,
  });
}

export interface Rights {
  readonly isAdministrator: boolean;
  /** Whether the caller has at least this role in the project. */
  readonly has: (role: Role, project: string) => boolean;
  /** Whether the caller has at least this role in some project. */
  readonly hasSomewhere: (role: Role) => boolean;
}

/** The permissions by which the page offers actions; the service checks them again. An unknown caller has none. */
export function useRights(): Rights {
  const { data } = useCaller();
  return rightsOf(data);
}

export function rightsOf(caller: Caller | undefined): Rights {
  const reaches = (given: Role | null | undefined, wanted: Role): boolean =>
    given != null && ORDER.indexOf(given) >= ORDER.indexOf(wanted);
  return {
    isAdministrator: caller?.administrator ?? false,
    has: (role, project) =>
      caller !== undefined && (reaches(caller.everywhere, role) || reaches(caller.projects[project], role)),
    hasSomewhere: (role) =>
      caller !== undefined &&
      [caller.everywhere, ...Object.values(caller.projects)].some((given) => reaches(given, role)),
  };
}
