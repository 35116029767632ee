import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import type { Project } from "@/api/schemas";
import { CALM } from "@/shared/polling";

export function useProjects(): UseQueryResult<readonly Project[]> {
  const api = useApi();
  return useQuery({
    queryKey: ["projects"],
    queryFn: async ({ signal }) => (await answer(api.GET("/api/v1/projects", { signal }))).items,
    refetchInterval: CALM,
  });
}
