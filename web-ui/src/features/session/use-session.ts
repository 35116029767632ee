import { useEffect, useState } from "react";

import { answer, createApi, done, type Credential } from "@/api/client";
import { isMissing, isUnauthorized } from "@/api/problem";

const KEY = "equipoise.token";

const UNHEARD =
  "The service could not be told that you leave, so this browser's session is still open: sign in and out again.";

export type SessionState =
  | { readonly kind: "unknown" }
  | { readonly kind: "in"; readonly credential: Credential }
  /** With why the last session ended, when the caller did not end it. */
  | { readonly kind: "out"; readonly refusal: string | null };

export interface Session {
  readonly state: SessionState;
  readonly signIn: (credential: Credential) => void;
  readonly signOut: (refusal?: string) => void;
}

/** Goes by the browser's session, or by a token that is kept for as long as the tab lives. */
export function useSession(): Session {
  const [state, setState] = useState<SessionState>(() => {
    const token = sessionStorage.getItem(KEY);
    return token === null ? { kind: "unknown" } : { kind: "in", credential: { kind: "token", token } };
  });

  useEffect(() => {
    if (state.kind !== "unknown") {
      return;
    }
    const leaving = new AbortController();
    void find(leaving.signal).then((found) => {
      if (!leaving.signal.aborted) {
        setState(found);
      }
    });
    return () => {
      leaving.abort();
    };
  }, [state]);

  return {
    state,
    signIn(credential) {
      if (credential.kind === "token") {
        sessionStorage.setItem(KEY, credential.token);
      }
      setState({ kind: "in", credential });
    },
    signOut(refusal) {
      sessionStorage.removeItem(KEY);
      setState({ kind: "out", refusal: refusal ?? null });
      if (state.kind === "in" && state.credential.kind === "session" && refusal === undefined) {
        done(createApi(state.credential).DELETE("/api/v1/session")).catch(() => {
          setState((now) => (now.kind === "out" ? { kind: "out", refusal: UNHEARD } : now));
        });
      }
    },
  };
}

async function find(signal: AbortSignal): Promise<SessionState> {
  try {
    const { csrfToken } = await answer(createApi(null).GET("/api/v1/session", { signal }));
    return { kind: "in", credential: { kind: "session", csrfToken } };
  } catch (error) {
    const isNone = isUnauthorized(error) || isMissing(error) || signal.aborted;
    return { kind: "out", refusal: isNone || !(error instanceof Error) ? null : error.message };
  }
}
