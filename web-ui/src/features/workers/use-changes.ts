import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import type { Schemas } from "@/api/schemas";

export type WorkerChange = "cordon" | "uncordon" | "drain";

/** Does the same to each of the workers; the first refusal is told after all were asked. */
export function useWorkerChange(ids: readonly string[]): UseMutationResult<void, Error, WorkerChange> {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (change: WorkerChange) => {
      const outcomes = await Promise.allSettled(
        ids.map((id) => answer(api.POST(`/api/v1/workers/{id}/${change}`, { params: { path: { id } } }))),
      );
      const refusal = outcomes.find((outcome) => outcome.status === "rejected");
      if (refusal) {
        throw refusal.reason;
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["workers"] }),
  });
}

export function useNewProfile(worker: string): UseMutationResult<Schemas["Profile"], Error, Schemas["NewProfile"]> {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["NewProfile"]) =>
      answer(api.POST("/api/v1/workers/{worker}/profiles", { params: { path: { worker } }, body })),
    onSettled: () => client.invalidateQueries({ queryKey: ["profiles"] }),
  });
}

export function useCancelProfile(): UseMutationResult<Schemas["Profile"], Error, string> {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => answer(api.POST("/api/v1/profiles/{id}/cancel", { params: { path: { id } } })),
    onSettled: () => client.invalidateQueries({ queryKey: ["profiles"] }),
  });
}

export function useNewMeasurement(): UseMutationResult<Schemas["LinkMeasurement"], Error, string[]> {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (workers: string[]) => answer(api.POST("/api/v1/links/measurements", { body: { workers } })),
    onSettled: () => client.invalidateQueries({ queryKey: ["links"] }),
  });
}

export function useCancelMeasurement(): UseMutationResult<Schemas["LinkMeasurement"], Error, string> {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answer(api.POST("/api/v1/links/measurements/{id}/cancel", { params: { path: { id } } })),
    onSettled: () => client.invalidateQueries({ queryKey: ["links"] }),
  });
}
