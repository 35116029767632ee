import { answer, type Api } from "@/api/client";
import { ServiceProblem } from "@/api/problem";
import type { RunSummary } from "@/api/schemas";

import { AS_YAML } from "./as-yaml";

export interface Order {
  readonly text: string;
  readonly place: Place;
  readonly tags: readonly string[];
  /** Whether to queue the runs, or only to save the definition. */
  readonly queues: boolean;
}

export type Place =
  | { readonly kind: "new"; readonly project: string }
  /** Includes the state of the experiment that the caller has seen. */
  | { readonly kind: "next"; readonly experiment: string; readonly tag: string | null };

export interface Submitted {
  readonly experiment: string;
  /** The current state of the experiment, if the service reports it. */
  readonly tag: string | null;
  readonly runs: readonly Pick<RunSummary, "id">[];
}

/** Idempotency keys by operation: a repeated operation runs once, even if a response was lost. */
export class Keys {
  readonly #known = new Map<string, string>();

  of(what: string): string {
    const known = this.#known.get(what) ?? random();
    this.#known.set(what, known);
    return known;
  }

  /** Makes the next operation a new one, even if it is equal. */
  clear(): void {
    this.#known.clear();
  }
}

/** Avoids `randomUUID`, which browsers offer only over TLS or on localhost. */
function random(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Saves the definition, queues its runs, and tags them. */
export async function submit(api: Api, order: Order, keys: Keys): Promise<Submitted> {
  const call = keep(api, order, keys);
  const experiment = await answer(call);
  const kept = { experiment: experiment.id, tag: (await call).response.headers.get("ETag") };
  if (!order.queues) {
    return { ...kept, runs: [] };
  }
  const { items } = await answer(
    api.POST("/api/v1/experiments/{experiment}/runs", {
      params: {
        path: { experiment: experiment.id },
        header: { "Idempotency-Key": keys.of(`${experiment.id} ${experiment.version.toString()}`) },
      },
    }),
  );
  if (order.tags.length > 0) {
    await tag(api, items, order.tags);
  }
  return { ...kept, runs: items };
}

function keep(
  api: Api,
  { text, place }: Order,
  keys: Keys,
): Promise<{ data?: { id: string; version: number }; error?: unknown; response: Response }> {
  const body = { body: text, bodySerializer: AS_YAML.bodySerializer };
  if (place.kind === "next") {
    const { experiment, tag } = place;
    return api.PUT("/api/v1/experiments/{id}", {
      params: { path: { id: experiment }, ...(tag !== null && { header: { "If-Match": tag } }) },
      headers: AS_YAML.headers,
      ...body,
    });
  }
  return api.POST("/api/v1/projects/{project}/experiments", {
    params: { path: { project: place.project }, header: { "Idempotency-Key": keys.of(`${place.project} ${text}`) } },
    headers: AS_YAML.headers,
    ...body,
  });
}

/** Tags one run after the other, because of the rate limit. */
async function tag(api: Api, runs: Submitted["runs"], tags: readonly string[]): Promise<void> {
  for (const { id } of runs) {
    try {
      await answer(api.PATCH("/api/v1/runs/{id}", { params: { path: { id } }, body: { tags: [...tags] } }));
    } catch (error) {
      if (!(error instanceof ServiceProblem)) {
        throw error;
      }
      const message = `The runs are queued, but some lack their tags. ${error.message}`;
      throw new ServiceProblem(error.status, message, error.code, error.violations);
    }
  }
}
