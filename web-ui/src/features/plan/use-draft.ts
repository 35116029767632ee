import { useEffect, useState } from "react";

import type { Loaded } from "./use-sources";

const KEY = "equipoise.draft";

/** A text that is being written, who writes it, and what it began as. */
interface Draft {
  readonly owner: string;
  readonly source: string | null;
  readonly text: string;
  /** The experiment's state that the text began from: a change names it, so that nobody's work is written over. */
  readonly tag: string | null;
}

interface DraftState {
  readonly text: string;
  readonly tag: string | null;
  readonly change: (text: string) => void;
  /** The text is what the source has, from now on. */
  readonly settle: (source: string, tag: string | null) => void;
  /** Where the text began from this source, it begins from it anew once it is read. */
  readonly restart: (source: string) => void;
}

/**
 * The text survives that the page is loaded anew, for its own writer alone. It begins anew where the address names
 * another source than before, and goes on where the address names none.
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
      sessionStorage.setItem(KEY, JSON.stringify(draft));
    } catch {
      // The browser has no room left: the draft lives as long as the page.
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
    const draft = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Partial<Draft> | null;
    return draft?.owner === owner && typeof draft.text === "string"
      ? { owner, source: draft.source ?? null, text: draft.text, tag: draft.tag ?? null }
      : null;
  } catch {
    return null;
  }
}
