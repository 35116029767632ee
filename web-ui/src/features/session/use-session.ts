import { useEffect, useRef, useState } from "react";

import { answer, createApi, done, type Credential } from "@/api/client";
import { isMissing, isUnauthorized } from "@/api/problem";
import type { Schemas } from "@/api/schemas";

import { takeProof } from "./arrival";
import { beginSession } from "./begin-session";

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

/** Uses the session of the browser, which all its tabs share. */
export function useSession(): Session {
  const [state, setState] = useState<SessionState>({ kind: "unknown" });
  const arrival = useRef<Promise<SessionState>>(null);

  useEffect(() => {
    // A code signs in once, and in development the effect runs twice.
    arrival.current ??= arrive();
    void arrival.current.then(setState);
  }, []);

  return {
    state,
    signIn(credential) {
      setState({ kind: "in", credential });
    },
    signOut(rejection) {
      if (rejection === undefined && state.kind === "in") {
        setState({ kind: "leaving" });
        void end(state.credential).then(setState);
      } else {
        // A query with an earlier credential may be rejected late; that does not end a later session.
        setState((now) => (now === state ? { kind: "out", ending: endingOf(rejection) } : now));
      }
    },
  };
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

/**
 * Continues the session of the browser, or else begins one with the proof in the address. A link does not replace a
 * session, so that a link from somebody else cannot sign a person in as another one unnoticed.
 */
async function arrive(): Promise<SessionState> {
  const proof = takeProof();
  try {
    const { csrfToken } = await answer(createApi(null).GET("/api/v1/session"));
    return { kind: "in", credential: { csrfToken } };
  } catch (error) {
    if (!isUnauthorized(error) && !isMissing(error)) {
      return { kind: "out", ending: endingOf(messageOf(error)) };
    }
  }
  return proof === null ? { kind: "out", ending: null } : signedInBy(proof);
}

async function signedInBy(proof: Schemas["Credentials"]): Promise<SessionState> {
  try {
    return { kind: "in", credential: await beginSession(proof) };
  } catch (error) {
    return { kind: "out", ending: { title: "You have not been signed in", message: messageOf(error) } };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
