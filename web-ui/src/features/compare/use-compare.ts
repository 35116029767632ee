import { keepPreviousData, useQueries, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import type { Run, RunSummary, Schemas } from "@/api/schemas";
import { CALM } from "@/shared/polling";
import { isFinal } from "@/shared/run/run-states";

import type { XAxis } from "./compare-search";
import { asMany, MOST_RUNS, type CurveRequest } from "./curve-requests";

/** So many are offered; whoever looks for another one writes more of its name. */
const OFFERED = 20;

/** What was read of several, each at its place; what cannot be read has its reason there. */
export interface Parts<Data> {
  readonly data: readonly (Data | undefined)[];
  readonly errors: readonly (Error | null)[];
  readonly isPending: boolean;
}

function parts<Data>(results: readonly UseQueryResult<Data>[]): Parts<Data> {
  return {
    data: results.map(({ data }) => data),
    errors: results.map(({ error }) => error),
    isPending: results.some(({ isPending }) => isPending),
  };
}

/** The runs with their definitions; those that are open are looked at again. */
export function useRuns(runs: readonly string[]): Parts<Run> {
  const api = useApi();
  return useQueries({
    queries: runs.map((run) => ({
      queryKey: ["runs", "whole", run],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        answer(api.GET("/api/v1/runs/{id}", { params: { path: { id: run } }, signal })),
      refetchInterval: ({ state }: { state: { data?: Run | undefined } }) =>
        state.data !== undefined && isFinal(state.data.state) ? (false as const) : CALM,
    })),
    combine: parts<Run>,
  });
}

/** Which metrics the runs have. */
export function useMetrics(runs: readonly string[], isLive: boolean): Parts<Schemas["ComparedMetrics"]> {
  const api = useApi();
  return useQueries({
    queries: asMany(runs, MOST_RUNS).map((some) => ({
      queryKey: ["curves", "metrics", some],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        answer(api.GET("/api/v1/metrics", { params: { query: { run: [...some] } }, signal })),
      refetchInterval: isLive ? CALM : (false as const),
    })),
    combine: parts<Schemas["ComparedMetrics"]>,
  });
}

/** What was read before the last of the runs ended is not all: it is read once more. */
export function useLastLook(isLive: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isLive) {
      return;
    }
    return () => {
      void client.invalidateQueries({ queryKey: ["curves"] });
      void client.invalidateQueries({ queryKey: ["comparison"] });
    };
  }, [client, isLive]);
}

export function useComparison(
  runs: readonly string[],
  target: number | undefined,
  isLive: boolean,
): UseQueryResult<Schemas["Comparison"]> {
  const api = useApi();
  return useQuery({
    queryKey: ["comparison", runs, target],
    queryFn: ({ signal }) =>
      answer(
        api.GET("/api/v1/comparisons", {
          params: { query: { runs: [...runs], ...(target !== undefined && { target }) } },
          signal,
        }),
      ),
    enabled: runs.length > 0,
    refetchInterval: isLive ? CALM : false,
    placeholderData: keepPreviousData,
  });
}

export function useComparedCurves(
  name: string,
  x: XAxis,
  requests: readonly CurveRequest[],
  isLive: boolean,
): Parts<Schemas["CurveList"]> {
  const api = useApi();
  return useQueries({
    queries: requests.map((request) => ({
      queryKey: ["curves", "compared", name, x, request],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        answer(api.GET("/api/v1/curves", { params: { query: { ...request, name, x } }, signal })),
      refetchInterval: isLive ? CALM : (false as const),
    })),
    combine: parts<Schemas["CurveList"]>,
  });
}

/** Runs whose experiment has this in its name, the newest first. */
export function useFound(name: string, project: string | undefined): UseQueryResult<readonly RunSummary[]> {
  const api = useApi();
  return useQuery({
    queryKey: ["runs", "found", name, project],
    queryFn: async ({ signal }) => {
      const query = { limit: OFFERED, ...(name !== "" && { name }), ...(project !== undefined && { project }) };
      return (await answer(api.GET("/api/v1/runs", { params: { query }, signal }))).items;
    },
    placeholderData: keepPreviousData,
  });
}
