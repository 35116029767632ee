import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";

import { useApi } from "@/api/api-context";
import { answer, done } from "@/api/client";

/** What may be done to a run. */
export type RunChange =
  | { readonly kind: "cancel" }
  | { readonly kind: "rerun" }
  | { readonly kind: "delete" }
  | { readonly kind: "priority"; readonly priority: number }
  | { readonly kind: "tags"; readonly tags: string[] };

/** What was done to how many runs, and why it could not be done to others. */
export interface Changed {
  readonly count: number;
  readonly refusals: readonly string[];
}

/** Does the same to each of the runs; one that refuses keeps no other from it. */
export function useRunChange(runs: readonly string[]): UseMutationResult<Changed, Error, RunChange> {
  const api = useApi();
  const client = useQueryClient();

  async function change(id: string, { kind, ...values }: RunChange): Promise<void> {
    const params = { path: { id } };
    switch (kind) {
      case "cancel":
        await answer(api.POST("/api/v1/runs/{id}/cancel", { params }));
        break;
      case "rerun":
        await answer(api.POST("/api/v1/runs/{id}/rerun", { params }));
        break;
      case "delete":
        await done(api.DELETE("/api/v1/runs/{id}", { params }));
        break;
      case "priority":
      case "tags":
        await answer(api.PATCH("/api/v1/runs/{id}", { params, body: { priority: null, tags: null, ...values } }));
        break;
    }
  }

  return useMutation({
    mutationFn: async (wanted: RunChange) => {
      const outcomes = await Promise.allSettled(runs.map((id) => change(id, wanted)));
      const refusals = outcomes.flatMap((outcome) =>
        outcome.status === "rejected" ? [outcome.reason instanceof Error ? outcome.reason : null] : [],
      );
      const [first] = refusals;
      if (first != null && refusals.length === runs.length) {
        throw first;
      }
      return {
        count: runs.length - refusals.length,
        refusals: refusals.map((reason) => reason?.message ?? "Nobody knows why."),
      };
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["runs"] }),
  });
}
