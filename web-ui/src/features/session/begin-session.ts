import { answer, createApi, type Credential } from "@/api/client";
import type { Schemas } from "@/api/schemas";

/** Begins a session of this browser; throws a problem if the service rejects the proof. */
export async function beginSession(proof: Schemas["Credentials"]): Promise<Credential> {
  const { csrfToken } = await answer(createApi(null).POST("/api/v1/session", { body: proof }));
  return { csrfToken };
}
