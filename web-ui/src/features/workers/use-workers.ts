import { useQuery, type UseQueryResult } from "@tanstack/react-query";

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
