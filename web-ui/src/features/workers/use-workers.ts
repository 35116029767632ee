import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import type { Schemas, Worker } from "@/api/schemas";
import { everyPage } from "@/shared/every-page";
import { CALM, LIVE } from "@/shared/polling";

export type Profile = Schemas["Profile"];
export type LinkMeasurement = Schemas["LinkMeasurement"];

export function useWorkers(): UseQueryResult<readonly Worker[]> {
  const api = useApi();
  return useQuery({
    queryKey: ["workers"],
    queryFn: ({ signal }) =>
      everyPage((cursor) => answer(api.GET("/api/v1/workers", { params: { query: { cursor } }, signal }))),
    refetchInterval: LIVE,
  });
}

export function useWorker(id: string): UseQueryResult<Worker> {
  const api = useApi();
  return useQuery({
    queryKey: ["workers", id],
    queryFn: ({ signal }) => answer(api.GET("/api/v1/workers/{id}", { params: { path: { id } }, signal })),
    refetchInterval: LIVE,
  });
}

/** All profiles of the worker, polled faster during a measurement. */
export function useProfiles(worker: string): UseQueryResult<readonly Profile[]> {
  const api = useApi();
  return useQuery({
    queryKey: ["profiles", worker],
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        answer(
          api.GET("/api/v1/workers/{worker}/profiles", { params: { path: { worker }, query: { cursor } }, signal }),
        ),
      ),
    refetchInterval: ({ state }) => (state.data?.some(({ state }) => isUnderWay(state)) ? LIVE : CALM),
  });
}

/** Speeds of the live workers in training steps of a network; by default of the one that was measured last. */
export function useSpeeds(network: string | undefined): UseQueryResult<Schemas["WorkerSpeedList"]> {
  const api = useApi();
  const query = network === undefined ? {} : { network };
  return useQuery({
    queryKey: ["workers", "speeds", network],
    queryFn: ({ signal }) => answer(api.GET("/api/v1/workers/speeds", { params: { query }, signal })),
    refetchInterval: CALM,
    // The choice of the network stays in view while another one is read.
    placeholderData: keepPreviousData,
  });
}

/** The history of a worker until now. */
export function useHistory(id: string, seconds: number, buckets: number): UseQueryResult<Schemas["WorkerHistory"]> {
  const api = useApi();
  return useQuery({
    queryKey: ["workers", id, "history", seconds, buckets],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - seconds * 1000).toISOString();
      return answer(
        api.GET("/api/v1/workers/{id}/history", { params: { path: { id }, query: { from, buckets } }, signal }),
      );
    },
    refetchInterval: HISTORY_PERIOD,
  });
}

/** Samples are one a minute. */
const HISTORY_PERIOD = 60_000;

export function useNetworkNames(): UseQueryResult<readonly string[]> {
  const api = useApi();
  return useQuery({
    queryKey: ["networks"],
    queryFn: async ({ signal }) =>
      (await answer(api.GET("/api/v1/networks", { signal }))).presets.map(({ name }) => name),
    staleTime: Infinity,
  });
}

export function useLinks(): UseQueryResult<readonly Schemas["LinkCost"][]> {
  const api = useApi();
  return useQuery({
    queryKey: ["links"],
    queryFn: async ({ signal }) => (await answer(api.GET("/api/v1/links", { signal }))).items,
    refetchInterval: CALM,
  });
}

/** The newest link measurements; older ones are superseded. */
export function useMeasurements(): UseQueryResult<readonly LinkMeasurement[]> {
  const api = useApi();
  return useQuery({
    queryKey: ["links", "measurements"],
    queryFn: async ({ signal }) =>
      (await answer(api.GET("/api/v1/links/measurements", { params: { query: { limit: 20 } }, signal }))).items,
    refetchInterval: ({ state }) => (state.data?.some(({ state }) => isUnderWay(state)) ? LIVE : CALM),
  });
}

export function isUnderWay(state: Profile["state"]): boolean {
  return state === "PENDING" || state === "MEASURING";
}
