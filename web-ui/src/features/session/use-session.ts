import { useEffect, useState } from "react";

import { answer, createApi, done, type Credential } from "@/api/client";
import { isMissing, isUnauthorized } from "@/api/problem";

const KEY = "equipoise.token";

/** How long the service may take to end a session before the dashboard gives up. */
const SIGN_OUT_LIMIT_MS = 60_000;

/** Why the sign-in page is shown to a person who has been signed in. */
export interface Ending {
  readonly title: string;
  readonly message: string;
}

const UNCONFIRMED: Ending = {
  title: "The sign-out was not confirmed",
  message: "The service did not confirm it, so this browser's session may still be open. Sign in, and sign out again.",
};

export type SessionState =
  | { readonly kind: "unknown" }
  | { readonly kind: "in"; readonly credential: Credential }
  /** The service has been asked to end the session, and has not answered yet. */
  | { readonly kind: "leaving" }
  /** With how the last session ended, unless the caller ended it and the service confirmed that. */
  | { readonly kind: "out"; readonly ending: Ending | null };

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
      forget(state);
      if (refusal === undefined && state.kind === "in" && state.credential.kind === "session") {
        setState({ kind: "leaving" });
        void end(state.credential).then(setState);
      } else {
        // A query of an earlier credential may be refused late; that refusal ends no later session.
        setState((now) => (now === state ? { kind: "out", ending: refused(refusal) } : now));
      }
    },
  };
}

/** Removes the token of a session, but not the token of a later one. */
function forget(state: SessionState): void {
  if (
    state.kind === "in" &&
    state.credential.kind === "token" &&
    sessionStorage.getItem(KEY) === state.credential.token
  ) {
    sessionStorage.removeItem(KEY);
  }
}

/** Ends the browser's session, and answers once the service has done so or cannot be asked. */
async function end(credential: Credential): Promise<SessionState> {
  // The browser drops a pending request when its page is left, unless the request has `keepalive`.
  const options = { keepalive: true, signal: AbortSignal.timeout(SIGN_OUT_LIMIT_MS) };
  try {
    await done(createApi(credential).DELETE("/api/v1/session", options));
    return { kind: "out", ending: null };
  } catch (error) {
    // The service refuses a session that is already over.
    return { kind: "out", ending: isUnauthorized(error) ? null : UNCONFIRMED };
  }
}

function refused(message: string | undefined): Ending | null {
  return message === undefined ? null : { title: "You have been signed out", message };
}

async function find(signal: AbortSignal): Promise<SessionState> {
  try {
    const { csrfToken } = await answer(createApi(null).GET("/api/v1/session", { signal }));
    return { kind: "in", credential: { kind: "session", csrfToken } };
  } catch (error) {
    const isNone = isUnauthorized(error) || isMissing(error) || signal.aborted;
    return { kind: "out", ending: refused(isNone || !(error instanceof Error) ? undefined : error.message) };
  }
}
