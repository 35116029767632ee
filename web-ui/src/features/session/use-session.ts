import { useState } from "react";

const KEY = "equipoise.token";

export interface Session {
  /** The API token in use, or null while nobody is signed in. */
  readonly token: string | null;
  /** Why the last session ended, when the caller did not end it. */
  readonly refusal: string | null;
  readonly signIn: (token: string) => void;
  readonly signOut: (refusal?: string) => void;
}

/** Keeps the token for as long as the tab lives. */
export function useSession(): Session {
  const [state, setState] = useState(() => ({ token: sessionStorage.getItem(KEY), refusal: null as string | null }));
  return {
    ...state,
    signIn(token) {
      sessionStorage.setItem(KEY, token);
      setState({ token, refusal: null });
    },
    signOut(refusal) {
      sessionStorage.removeItem(KEY);
      setState({ token: null, refusal: refusal ?? null });
    },
  };
}
