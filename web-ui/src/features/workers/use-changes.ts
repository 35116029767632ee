import type { UseMutationResult } from "@tanstack/react-query";

import { answer, done, type Api } from "@/api/client";
import type { Schemas } from "@/api/schemas";
import { useChange } from "@/shared/use-change";

export type WorkerChange = "cordon" | "uncordon" | "drain" | "remove";

/** Applies the same change to each worker; reports the first rejection after all requests. */
export function useWorkerChange(ids: readonly string[]): UseMutationResult<void, Error, WorkerChange> {
  return useChange(
    async (api, change: WorkerChange) => {
      const outcomes = await Promise.allSettled(ids.map((id) => changed(api, id, change)));
      const rejection = outcomes.find((outcome) => outcome.status === "rejected");
      if (rejection) {
        throw rejection.reason;
      }
    },
    ["workers"],
  );
}

async function changed(api: Api, id: string, change: WorkerChange): Promise<void> {
  const params = { path: { id } };
  await (change === "remove"
    ? done(api.DELETE("/api/v1/workers/{id}", { params }))
    : answer(api.POST(`/api/v1/workers/{id}/${change}`, { params })));
}

export function useNewProfile(worker: string): UseMutationResult<Schemas["Profile"], Error, Schemas["NewProfile"]> {
  return useChange(
    (api, body: Schemas["NewProfile"]) =>
      answer(api.POST("/api/v1/workers/{worker}/profiles", { params: { path: { worker } }, body })),
    ["profiles"],
  );
}

export function useCancelProfile(): UseMutationResult<Schemas["Profile"], Error, string> {
  return useChange(
    (api, id: string) => answer(api.POST("/api/v1/profiles/{id}/cancel", { params: { path: { id } } })),
    ["profiles"],
  );
}

export function useNewMeasurement(): UseMutationResult<Schemas["LinkMeasurement"], Error, string[]> {
  return useChange(
    (api, workers: string[]) => answer(api.POST("/api/v1/links/measurements", { body: { workers } })),
    ["links"],
  );
}

export function useCancelMeasurement(): UseMutationResult<Schemas["LinkMeasurement"], Error, string> {
  return useChange(
    (api, id: string) => answer(api.POST("/api/v1/links/measurements/{id}/cancel", { params: { path: { id } } })),
    ["links"],
  );
}
