import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import type { Project } from "@/api/schemas";

import { CALM } from "./polling";

/** The projects that the caller may see. */
export function useProjects(): UseQueryResult<readonly Project[]> {
  const api = useApi();
  return useQuery({
    queryKey: ["projects"],
    queryFn: async ({ signal }) =>
      (await answer(api.GET("/api/v1/projects", { params: { query: { limit: 500 } }, signal }))).items,
    refetchInterval: CALM,
  });
}
