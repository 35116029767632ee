import { setTimeout as pause } from "node:timers/promises";

import { PATIENCE_MS } from "../src/shared/testing-patience";

/** A lab for tests: the address of its service and its administrator token. */
export interface Lab {
  readonly url: string;
  readonly token: string;
}

/** Returns the lab that was started before the tests. */
export function theLab(): Lab {
  const { EQUIPOISE_URL: url, EQUIPOISE_TOKEN: token } = process.env;
  if (url === undefined || token === undefined) {
    throw new Error("There is no lab: set EQUIPOISE_URL and EQUIPOISE_TOKEN.");
  }
  return { url, token };
}

/** Returns the address of a page or a call of the lab, which may be served below a path. */
export function at(path: string): string {
  return theLab().url + path;
}

interface Call {
  readonly token?: string;
  readonly json?: unknown;
  readonly yaml?: string;
}

/** Returns the response of the service to a call; throws an error for a rejection. */
export async function call<Answer>(
  request: string,
  { token = theLab().token, json, yaml }: Call = {},
): Promise<Answer> {
  const [method, path] = request.split(" ");
  const response = await fetch(at(`/api/v1${path ?? ""}`), {
    method: method ?? "GET",
    headers: {
      Authorization: `Bearer ${token}`,
      ...(json === undefined ? {} : { "Content-Type": "application/json" }),
      ...(yaml === undefined ? {} : { "Content-Type": "application/yaml" }),
    },
    body: json === undefined ? (yaml ?? null) : JSON.stringify(json),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`${request} failed with status ${response.status.toString()}: ${text}`);
  }
  return (text === "" ? undefined : JSON.parse(text)) as Answer;
}

export interface Identified {
  readonly id: string;
}

/** A user with a password and a role in a project. */
export interface Person {
  readonly name: string;
  readonly password: string;
}

export async function person(name: string, project: Identified, role: string): Promise<Person> {
  const password = `${name} has a long password`;
  const user = await call<Identified>("POST /users", { json: { name, password } });
  await call(`PUT /projects/${project.id}/members/${user.id}`, { json: { role } });
  return { name, password };
}

/** Queues the runs of a definition. */
export async function submit(project: Identified, yaml: string): Promise<readonly string[]> {
  const experiment = await call<Identified>(`POST /projects/${project.id}/experiments`, { yaml });
  const { items } = await call<{ items: readonly Identified[] }>(`POST /experiments/${experiment.id}/runs`);
  return items.map(({ id }) => id);
}

/** Cancels the open runs of a project. */
export async function cancelRuns(project: Identified): Promise<void> {
  const open = `GET /runs?project=${project.id}&state=QUEUED,PLACED,PREPARING,RUNNING`;
  const { items } = await call<{ items: readonly Identified[] }>(open);
  for (const { id } of items) {
    await cancel(id);
  }
}

/** Cancels a run, unless it has ended. */
export async function cancel(run: string): Promise<void> {
  try {
    await call(`POST /runs/${run}/cancel`);
  } catch (rejection) {
    const { state } = await call<Stated>(`GET /runs/${run}`);
    if (!OVER.includes(state)) {
      throw rejection;
    }
  }
}

interface Stated {
  readonly state: string;
  readonly failure?: unknown;
  readonly waiting?: unknown;
  readonly progress?: unknown;
}

const OVER = ["COMPLETED", "COMPLETE", "FAILED", "CANCELLED"];

/**
 * Waits until the run or measurement at a path is in one of some states.
 *
 * @throws Error when it ends in another state, or stays in another state for longer than the limit
 */
export async function reached(path: string, ...states: readonly string[]): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const seen = await call<Stated>(`GET ${path}`);
    if (states.includes(seen.state)) {
      return;
    }
    if (OVER.includes(seen.state)) {
      throw new Error(`${path} ended as ${seen.state} and not as ${states.join(" or ")}: ${detailsOf(seen)}`);
    }
    if (performance.now() > end) {
      const seconds = (PATIENCE_MS / 1000).toString();
      throw new Error(
        `${path} was not ${states.join(" or ")} within ${seconds} s; it was ${seen.state}: ${detailsOf(seen)}`,
      );
    }
    await pause(300);
  }
}

/** Describes the reason of a state, and the progress. */
function detailsOf({ failure, waiting, progress }: Stated): string {
  return JSON.stringify({ failure, waiting, progress });
}
