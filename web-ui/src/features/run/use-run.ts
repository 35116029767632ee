import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import type { Run, Schemas } from "@/api/schemas";
import { CALM } from "@/shared/polling";

import type { XAxis } from "./run-search";

/** Curves are read again only if the stream of the run reports a change, and those of ended runs never. */
const UNTIL_INVALID = Infinity;

/** A run with all its data. */
export function useRun(run: string): UseQueryResult<Run> {
  const api = useApi();
  return useQuery({
    queryKey: ["runs", "whole", run],
    queryFn: ({ signal }) => answer(api.GET("/api/v1/runs/{id}", { params: { path: { id: run } }, signal })),
    // Its queue position changes without an event of the run.
    refetchInterval: ({ state }) => (state.data?.state === "QUEUED" ? CALM : false),
  });
}

export function useMetrics(run: string): UseQueryResult<Schemas["MetricList"]> {
  const api = useApi();
  return useQuery({
    queryKey: ["curves", run, "metrics"],
    queryFn: ({ signal }) => answer(api.GET("/api/v1/runs/{id}/metrics", { params: { path: { id: run } }, signal })),
    staleTime: UNTIL_INVALID,
  });
}

/** The curves of a metric, one for each rank, with the axis for which they were read. */
export interface Curves {
  readonly x: XAxis;
  readonly curves: readonly Schemas["MetricCurve"][];
}

/** While another axis is read, the previous curves stay, with the name of their own axis. */
export function useCurves(run: string, name: string, x: XAxis): UseQueryResult<Curves> {
  const api = useApi();
  return useQuery({
    queryKey: ["curves", run, name, x],
    queryFn: async ({ signal }) => {
      const params = { path: { id: run }, query: { name, x, buckets: 500 } };
      return { x, curves: (await answer(api.GET("/api/v1/runs/{id}/curves", { params, signal }))).items };
    },
    staleTime: UNTIL_INVALID,
    placeholderData: keepPreviousData,
  });
}
