import { setTimeout as pause } from "node:timers/promises";

/** A lab that tests may use: where its service is, its administrator's token, the label of its workers. */
export interface Lab {
  readonly url: string;
  readonly token: string;
  readonly label: string;
}

/** The lab that was opened before the tests began. */
export function theLab(): Lab {
  const { EQUIPOISE_URL: url, EQUIPOISE_TOKEN: token, EQUIPOISE_LAB: label } = process.env;
  if (url === undefined || token === undefined || label === undefined) {
    throw new Error("There is no lab: EQUIPOISE_URL, EQUIPOISE_TOKEN and EQUIPOISE_LAB tell of one.");
  }
  return { url, token, label };
}

interface Call {
  readonly token?: string;
  readonly json?: unknown;
  readonly yaml?: string;
}

/** What the service answers to a call; an answer that is a refusal is an error. */
export async function call<Answer>(
  request: string,
  { token = theLab().token, json, yaml }: Call = {},
): Promise<Answer> {
  const [method, path] = request.split(" ");
  const response = await fetch(`${theLab().url}/api/v1${path ?? ""}`, {
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
    throw new Error(`${request} was answered with ${response.status.toString()}: ${text}`);
  }
  return (text === "" ? undefined : JSON.parse(text)) as Answer;
}

export interface Identified {
  readonly id: string;
}

/** Somebody with a password and a role in a project. */
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

interface Stated {
  readonly state: string;
  readonly failure?: unknown;
}

const OVER = ["COMPLETED", "COMPLETE", "FAILED", "CANCELLED"];

/** Waits until what stands at a path is in one of some states. */
export async function reached(path: string, ...states: readonly string[]): Promise<void> {
  for (;;) {
    const { state, failure } = await call<Stated>(`GET ${path}`);
    if (states.includes(state)) {
      return;
    }
    if (OVER.includes(state)) {
      throw new Error(`${path} is ${state}: ${JSON.stringify(failure)}`);
    }
    await pause(300);
  }
}
