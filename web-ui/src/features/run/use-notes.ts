import type { UseMutationResult } from "@tanstack/react-query";

import { type Api, answer } from "@/api/client";
import { ServiceProblem } from "@/api/problem";
import type { Run } from "@/api/schemas";
import { useChange } from "@/shared/use-change";

/** Limit of notes in UTF-8, in bytes. */
export const MAX_NOTES_BYTES = 65_536;

/** The revision of a run in training changes often, so a write that finds another one is repeated. */
const MAX_ATTEMPTS = 5;

export interface NotesChange {
  /** Blank to delete the notes. */
  readonly text: string;
  /** The notes that the author has seen. */
  readonly seen: Run["notes"];
}

/** Writes or deletes the notes of a run, unless somebody else has changed them since. */
export function useNotesChange(run: string): UseMutationResult<Run, Error, NotesChange> {
  return useChange((api, change: NotesChange) => write(api, run, change, MAX_ATTEMPTS), ["runs"]);
}

/** Writes to the revision that has the notes that the author has seen. */
async function write(api: Api, run: string, change: NotesChange, attempts: number): Promise<Run> {
  const path = { id: run };
  const { notes, revision } = await answer(api.GET("/api/v1/runs/{id}", { params: { path } }));
  // The revision of a run changes with its progress, so the notes themselves are compared.
  if (notes?.writtenAt !== change.seen?.writtenAt) {
    throw new ServiceProblem(
      412,
      `${notes?.author ?? "Somebody"} has changed the notes meanwhile. Copy your text, go back, and edit the new notes.`,
    );
  }
  const body = { notes: change.text.trim() === "" ? null : change.text };
  const header = { "If-Match": `"${String(revision)}"` };
  try {
    return await answer(api.PATCH("/api/v1/runs/{id}", { params: { path, header }, body }));
  } catch (problem) {
    if (attempts > 1 && problem instanceof ServiceProblem && problem.status === 412) {
      return write(api, run, change, attempts - 1);
    }
    throw problem;
  }
}

export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
