import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import type { ExperimentSummary } from "@/api/schemas";
import { CALM } from "@/shared/polling";

export function useExperiments(project: string): UseQueryResult<readonly ExperimentSummary[]> {
  const api = useApi();
  return useQuery({
    queryKey: ["experiments", project],
    queryFn: async ({ signal }) =>
      (await answer(api.GET("/api/v1/projects/{project}/experiments", { params: { path: { project } }, signal }))).items,
    refetchInterval: CALM,
  });
}
