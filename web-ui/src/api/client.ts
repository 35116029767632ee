import createClient, { type Client } from "openapi-fetch";

import { ServiceProblem, ServiceUnreachable } from "./problem";
import type { paths } from "./schema";

/** How a request says who asks: by a token, or by the cookie of a session that no script reads. */
export type Credential =
  { readonly kind: "token"; readonly token: string } | { readonly kind: "session"; readonly csrfToken: string };

export interface Api extends Omit<Client<paths>, "request"> {
  /** Asks for what is no JSON, or is read while it comes; a refusal is thrown as a {@link ServiceProblem}. */
  readonly request: (path: string, init?: RequestInit) => Promise<Response>;
}

/** The service under its own origin; nobody asks where there is no credential. */
export function createApi(credential: Credential | null): Api {
  const headers = headersOf(credential);
  return {
    ...createClient<paths>({ baseUrl: window.location.origin, headers, fetch: send }),
    async request(path: string, init: RequestInit = {}): Promise<Response> {
      const given = Object.fromEntries(new Headers(init.headers));
      const request = new Request(new URL(path, window.location.origin), {
        ...init,
        headers: { ...given, ...headers },
      });
      const response = await send(request);
      if (!response.ok) {
        throw ServiceProblem.from(response.status, await response.json().catch(() => null));
      }
      return response;
    },
  };
}

function headersOf(credential: Credential | null): Record<string, string> {
  switch (credential?.kind) {
    case "token":
      return { Authorization: `Bearer ${credential.token}` };
    case "session":
      return { "X-CSRF-Token": credential.csrfToken };
    case undefined:
      return {};
  }
}

async function send(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    throw request.signal.aborted ? error : new ServiceUnreachable(error);
  }
}

interface Answered<Body> {
  readonly data?: Body;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of a good answer; a refusal is thrown as a {@link ServiceProblem}. */
export async function answer<Body>(call: Promise<Answered<Body>>): Promise<Body> {
  const { data, error, response } = await call;
  if (data === undefined) {
    throw ServiceProblem.from(response.status, error);
  }
  return data;
}

/** Waits for a good answer that has no body. */
export async function done(call: Promise<Answered<unknown>>): Promise<void> {
  const { error, response } = await call;
  if (!response.ok) {
    throw ServiceProblem.from(response.status, error);
  }
}
