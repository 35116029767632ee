import createClient, { type Client } from "openapi-fetch";

import { ServiceProblem, ServiceUnreachable } from "./problem";
import type { paths } from "./schema";

export type Api = Client<paths>;

/** The service under its own origin, called with the given API token. */
export function createApi(token: string): Api {
  return createClient<paths>({
    baseUrl: window.location.origin,
    headers: { Authorization: `Bearer ${token}` },
    fetch: send,
  });
}

async function send(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    throw request.signal.aborted ? error : new ServiceUnreachable(error);
  }
}

/** The body of a good answer; a refusal is thrown as a {@link ServiceProblem}. */
export async function answer<Body>(call: Promise<{ data?: Body; error?: unknown; response: Response }>): Promise<Body> {
  const { data, error, response } = await call;
  if (data === undefined) {
    throw ServiceProblem.from(response.status, error);
  }
  return data;
}
