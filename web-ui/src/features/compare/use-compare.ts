import { keepPreviousData, useQueries, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import type { RunSummary, Schemas } from "@/api/schemas";
import { CALM } from "@/shared/polling";
import { isFinal } from "@/shared/run/run-states";

import type { XAxis } from "./compare-search";
import { asMany, MAX_RUNS, type CurveRequest } from "./curve-requests";

/** The most runs to offer; a longer search text finds others. */
const OFFERED = 20;

/** Results of several queries, each at its index, with an error in place of data that cannot be read. */
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

/** Reads the names of the runs and their differences; polls while a run is open. */
export function useSubjects(runs: readonly string[]): UseQueryResult<Schemas["ComparedSubjects"]> {
  const api = useApi();
  return useQuery({
    queryKey: ["comparison", "subjects", runs],
    queryFn: ({ signal }) =>
      answer(api.GET("/api/v1/comparisons/subjects", { params: { query: { runs: [...runs] } }, signal })),
    enabled: runs.length > 0,
    refetchInterval: ({ state: { data } }) =>
      data?.items.every(({ state }) => isFinal(state)) === true ? false : CALM,
    placeholderData: keepPreviousData,
  });
}

/** Reads the metrics of the runs. */
export function useMetrics(runs: readonly string[], isLive: boolean): Parts<Schemas["ComparedMetrics"]> {
  const api = useApi();
  return useQueries({
    queries: asMany(runs, MAX_RUNS).map((some) => ({
      queryKey: ["curves", "metrics", some],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        answer(api.GET("/api/v1/metrics", { params: { query: { run: [...some] } }, signal })),
      refetchInterval: isLive ? CALM : (false as const),
    })),
    combine: parts<Schemas["ComparedMetrics"]>,
  });
}

/** Reads once more after the last run has ended, because the previous result may be incomplete. */
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

/** Reads a comparison; the line is the path of a field that the runs of a line of scaling have in common. */
export function useComparison(
  runs: readonly string[],
  target: number | undefined,
  isLive: boolean,
  line?: string,
): UseQueryResult<Schemas["Comparison"]> {
  const api = useApi();
  return useQuery({
    queryKey: ["comparison", runs, target, line],
    queryFn: ({ signal }) =>
      answer(
        api.GET("/api/v1/comparisons", {
          params: {
            query: { runs: [...runs], ...(target !== undefined && { target }), ...(line !== undefined && { line }) },
          },
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

/** Searches runs by the name of their experiment, the newest first. */
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
