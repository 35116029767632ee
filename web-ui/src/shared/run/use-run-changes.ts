import type { UseMutationResult } from "@tanstack/react-query";

import { answer, done, type Api } from "@/api/client";
import type { RunSummary } from "@/api/schemas";
import { useChange } from "@/shared/use-change";

/** A change of a run. */
export type RunChange =
  | { readonly kind: "cancel" }
  | { readonly kind: "rerun" }
  | { readonly kind: "delete" }
  | { readonly kind: "priority"; readonly priority: number }
  | { readonly kind: "tags"; readonly added: readonly string[]; readonly removed: readonly string[] };

type Target = Pick<RunSummary, "id">;

/** The number of changed runs, and the reasons why others were not changed. */
export interface Changed {
  readonly count: number;
  readonly rejections: readonly string[];
}

/** Applies the same change to each run; a rejection does not stop the others. */
export function useRunChange(runs: readonly Target[]): UseMutationResult<Changed, Error, RunChange> {
  return useChange(
    async (api, wanted: RunChange) => {
      const outcomes = await Promise.allSettled(runs.map((run) => change(api, run, wanted)));
      const rejections = outcomes.flatMap((outcome) =>
        outcome.status === "rejected" ? [outcome.reason instanceof Error ? outcome.reason : null] : [],
      );
      const [first] = rejections;
      if (first != null && rejections.length === runs.length) {
        throw first;
      }
      return {
        count: runs.length - rejections.length,
        rejections: rejections.map((reason) => reason?.message ?? "No reason was given."),
      };
    },
    ["runs"],
  );
}

async function change(api: Api, { id }: Target, wanted: RunChange): Promise<void> {
  const params = { path: { id } };
  switch (wanted.kind) {
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
      await answer(api.PATCH("/api/v1/runs/{id}", { params, body: { priority: wanted.priority } }));
      break;
    case "tags": {
      // Someone else may have changed the tags since the list was read.
      const { tags } = await answer(api.GET("/api/v1/runs/{id}", { params }));
      const kept = tags.filter((tag) => !wanted.removed.includes(tag));
      const body = { tags: [...new Set([...kept, ...wanted.added])] };
      await answer(api.PATCH("/api/v1/runs/{id}", { params, body }));
      break;
    }
  }
}
