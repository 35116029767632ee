import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import type { User } from "@/api/schemas";

import { everyPage } from "./every-page";
import { CALM } from "./polling";
import { useRights } from "./rights";

/** All users of the lab, whom only administrators may list. */
export function useUsers(): UseQueryResult<readonly User[]> {
  const api = useApi();
  const { isAdministrator } = useRights();
  return useQuery({
    queryKey: ["users"],
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        answer(api.GET("/api/v1/users", { params: { query: { limit: 500, ...(cursor && { cursor }) } }, signal })),
      ),
    enabled: isAdministrator,
    refetchInterval: CALM,
  });
}
