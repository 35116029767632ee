import { useEffect, useState } from "react";

import type { Loaded } from "./use-sources";

const KEY = "equipoise.draft";

/** A text that is being written, who writes it, and what it began as. */
interface Draft {
  readonly owner: string;
  readonly source: string | null;
  readonly text: string;
}

interface DraftState {
  readonly text: string;
  readonly change: (text: string) => void;
  /** The text is what the source has, from now on. */
  readonly settle: (source: string) => void;
}

/**
 * The text survives that the page is loaded anew, for its own writer alone. It begins anew where the address names
 * another source than before, and goes on where the address names none.
 */
export function useDraft(owner: string, loaded: Loaded | null): DraftState {
  const [draft, setDraft] = useState<Draft>(() => kept(owner) ?? { owner, source: null, text: "" });
  if (loaded !== null && loaded.source !== draft.source) {
    setDraft({ owner, ...loaded });
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
    change: (text) => {
      setDraft((before) => ({ ...before, text }));
    },
    settle: (source) => {
      setDraft((before) => ({ ...before, source }));
    },
  };
}

function kept(owner: string): Draft | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Partial<Draft> | null;
    return draft?.owner === owner && typeof draft.text === "string"
      ? { owner, source: draft.source ?? null, text: draft.text }
      : null;
  } catch {
    return null;
  }
}
