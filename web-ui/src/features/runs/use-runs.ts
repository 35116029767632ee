import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import type { Run } from "@/api/schemas";
import { LIVE } from "@/shared/polling";

/** The newest runs of a project. */
export function useRuns(project: string): UseQueryResult<readonly Run[]> {
  const api = useApi();
  return useQuery({
    queryKey: ["runs", project],
    queryFn: async ({ signal }) =>
      (await answer(api.GET("/api/v1/runs", { params: { query: { project } }, signal }))).items,
    refetchInterval: LIVE,
  });
}

export function useCancelRun(run: string): UseMutationResult<Run, Error, void> {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => answer(api.POST("/api/v1/runs/{id}/cancel", { params: { path: { id: run } } })),
    onSettled: () => client.invalidateQueries({ queryKey: ["runs"] }),
  });
}
