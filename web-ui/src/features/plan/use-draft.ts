import { useEffect, useState } from "react";

import { storageKey } from "@/api/base";

import type { Loaded } from "./use-sources";

const DRAFT = "draft";

/** A draft: its text, its writer and its source. */
interface Draft {
  readonly owner: string;
  readonly source: string | null;
  readonly text: string;
  /** The state of the experiment from which the text began. A change sends it, so that it overwrites nobody's work. */
  readonly tag: string | null;
}

interface DraftState {
  readonly text: string;
  readonly tag: string | null;
  readonly change: (text: string) => void;
  /** Declares the text equal to its source. */
  readonly settle: (source: string, tag: string | null) => void;
  /** Starts again from this source when it is read, if the text began from it. */
  readonly restart: (source: string) => void;
}

/**
 * Keeps the text when the page is reloaded, for the same user only. It is replaced when the address names another
 * source, and stays when the address names none.
 */
export function useDraft(owner: string, loaded: Loaded | null): DraftState {
  const [draft, setDraft] = useState<Draft>(() => kept(owner) ?? { owner, source: null, text: "", tag: null });
  if (loaded !== null && loaded.source !== draft.source) {
    setDraft({ owner, ...loaded });
  } else if (loaded !== null && draft.tag === null && loaded.tag !== null) {
    setDraft({ ...draft, tag: loaded.tag });
  }
  useEffect(() => {
    try {
      sessionStorage.setItem(storageKey(DRAFT), JSON.stringify(draft));
    } catch {
      // The storage of the browser is full; the draft lives as long as the page.
    }
  }, [draft]);
  return {
    text: draft.text,
    tag: draft.tag,
    change: (text) => {
      setDraft((before) => ({ ...before, text }));
    },
    settle: (source, tag) => {
      setDraft((before) => ({ ...before, source, tag }));
    },
    restart: (source) => {
      setDraft((before) => (before.source === source ? { ...before, source: null, tag: null } : before));
    },
  };
}

function kept(owner: string): Draft | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(storageKey(DRAFT)) ?? "null") as Partial<Draft> | null;
    return draft?.owner === owner && typeof draft.text === "string"
      ? { owner, source: draft.source ?? null, text: draft.text, tag: draft.tag ?? null }
      : null;
  } catch {
    return null;
  }
}
