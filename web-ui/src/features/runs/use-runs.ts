import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import type { Run, RunSummary } from "@/api/schemas";
import { LIVE } from "@/shared/polling";

import { isFinal } from "./run-states";

/** The newest runs of a project. */
export function useRuns(project: string): UseQueryResult<readonly RunSummary[]> {
  const api = useApi();
  return useQuery({
    queryKey: ["runs", project],
    queryFn: async ({ signal }) =>
      (await answer(api.GET("/api/v1/runs", { params: { query: { project } }, signal }))).items,
    refetchInterval: LIVE,
  });
}

/** One run with all that is known of it, read anew until its end. */
export function useRun(run: string): UseQueryResult<Run> {
  const api = useApi();
  return useQuery({
    queryKey: ["runs", "whole", run],
    queryFn: ({ signal }) => answer(api.GET("/api/v1/runs/{id}", { params: { path: { id: run } }, signal })),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isFinal(data.state) ? false : LIVE),
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
