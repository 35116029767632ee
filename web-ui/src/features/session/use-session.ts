import { useEffect, useState } from "react";

import { storageKey } from "@/api/base";
import { answer, createApi, done, type Credential } from "@/api/client";
import { isMissing, isUnauthorized } from "@/api/problem";

const TOKEN = "token";

/** Limit of the service's time to end a session, in milliseconds. */
const SIGN_OUT_LIMIT_MS = 60_000;

/** The reason why the sign-in page is shown to a user who was signed in. */
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
  /** Signed out; tells how the last session ended, unless the caller ended it and the service confirmed that. */
  | { readonly kind: "out"; readonly ending: Ending | null };

export interface Session {
  readonly state: SessionState;
  readonly signIn: (credential: Credential) => void;
  readonly signOut: (rejection?: string) => void;
}

/** Uses the session of the browser, or a token that is stored as long as the tab. */
export function useSession(): Session {
  const [state, setState] = useState<SessionState>(() => {
    const token = sessionStorage.getItem(storageKey(TOKEN));
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
        sessionStorage.setItem(storageKey(TOKEN), credential.token);
      }
      setState({ kind: "in", credential });
    },
    signOut(rejection) {
      forget(state);
      if (rejection === undefined && state.kind === "in" && state.credential.kind === "session") {
        setState({ kind: "leaving" });
        void end(state.credential).then(setState);
      } else {
        // A query with an earlier credential may be rejected late; that does not end a later session.
        setState((now) => (now === state ? { kind: "out", ending: endingOf(rejection) } : now));
      }
    },
  };
}

/** Removes the token of a session, but not the token of a later one. */
function forget(state: SessionState): void {
  if (
    state.kind === "in" &&
    state.credential.kind === "token" &&
    sessionStorage.getItem(storageKey(TOKEN)) === state.credential.token
  ) {
    sessionStorage.removeItem(storageKey(TOKEN));
  }
}

/** Ends the browser's session, and returns when the service has answered or cannot be reached. */
async function end(credential: Credential): Promise<SessionState> {
  // The browser drops a pending request when its page is left, unless the request has `keepalive`.
  const options = { keepalive: true, signal: AbortSignal.timeout(SIGN_OUT_LIMIT_MS) };
  try {
    await done(createApi(credential).DELETE("/api/v1/session", options));
    return { kind: "out", ending: null };
  } catch (error) {
    // The service rejects the request if the session has already ended.
    return { kind: "out", ending: isUnauthorized(error) ? null : UNCONFIRMED };
  }
}

function endingOf(message: string | undefined): Ending | null {
  return message === undefined ? null : { title: "You have been signed out", message };
}

async function find(signal: AbortSignal): Promise<SessionState> {
  try {
    const { csrfToken } = await answer(createApi(null).GET("/api/v1/session", { signal }));
    return { kind: "in", credential: { kind: "session", csrfToken } };
  } catch (error) {
    const isNone = isUnauthorized(error) || isMissing(error) || signal.aborted;
    return { kind: "out", ending: endingOf(isNone || !(error instanceof Error) ? undefined : error.message) };
  }
}
