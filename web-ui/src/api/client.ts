import createClient, { type Client } from "openapi-fetch";

import { serviceAddress } from "./base";
import { ServiceProblem, ServiceUnreachable } from "./problem";
import type { paths } from "./schema";

/** Header value that requests add to the cookie of the session, which scripts cannot read. */
export interface Credential {
  readonly csrfToken: string;
}

export interface Api extends Omit<Client<paths>, "request"> {
  /**
   * Sends a request whose response is no JSON or is read as it arrives; throws a {@link ServiceProblem} if rejected.
   */
  readonly request: (path: string, init?: RequestInit) => Promise<Response>;
}

/** Creates a client of the service of this page; without a credential, requests are anonymous. */
export function createApi(credential: Credential | null): Api {
  const headers: Record<string, string> = credential === null ? {} : { "X-CSRF-Token": credential.csrfToken };
  return {
    ...createClient<paths>({ baseUrl: serviceAddress(), headers, fetch: send }),
    async request(path: string, init: RequestInit = {}): Promise<Response> {
      const given = Object.fromEntries(new Headers(init.headers));
      const request = new Request(serviceAddress() + path, {
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

/** Returns the body of a successful response; throws a {@link ServiceProblem} for a rejection. */
export async function answer<Body>(call: Promise<Answered<Body>>): Promise<Body> {
  const { data, error, response } = await call;
  if (data === undefined) {
    throw ServiceProblem.from(response.status, error);
  }
  return data;
}

/** Waits for a successful response without a body. */
export async function done(call: Promise<Answered<unknown>>): Promise<void> {
  const { error, response } = await call;
  if (!response.ok) {
    throw ServiceProblem.from(response.status, error);
  }
}
