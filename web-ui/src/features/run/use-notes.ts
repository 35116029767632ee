import type { UseMutationResult } from "@tanstack/react-query";

import { answer } from "@/api/client";
import { ServiceProblem } from "@/api/problem";
import type { Run } from "@/api/schemas";
import { useChange } from "@/shared/use-change";

/** Limit of notes in UTF-8, in bytes. */
export const MAX_NOTES_BYTES = 65_536;

export interface NotesChange {
  /** Blank to delete the notes. */
  readonly text: string;
  /** The notes that the author has seen. */
  readonly seen: Run["notes"];
}

/** Writes or deletes the notes of a run, unless somebody else has changed them since. */
export function useNotesChange(run: string): UseMutationResult<Run, Error, NotesChange> {
  return useChange(
    async (api, { text, seen }: NotesChange) => {
      const params = { path: { id: run } };
      // The revision of a run changes with its progress, so the notes themselves are compared.
      const { notes } = await answer(api.GET("/api/v1/runs/{id}", { params }));
      if (notes?.writtenAt !== seen?.writtenAt) {
        throw new ServiceProblem(
          412,
          `${notes?.author ?? "Somebody"} has changed the notes meanwhile. Copy your text, go back, and edit the new notes.`,
        );
      }
      const body = { notes: text.trim() === "" ? null : text };
      return answer(api.PATCH("/api/v1/runs/{id}", { params, body }));
    },
    ["runs"],
  );
}

export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
