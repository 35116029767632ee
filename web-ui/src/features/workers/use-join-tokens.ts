import { useQuery, type UseMutationResult, type UseQueryResult } from "@tanstack/react-query";

import { useApi } from "@/api/api-context";
import { answer, done } from "@/api/client";
import type { Schemas } from "@/api/schemas";
import { everyPage } from "@/shared/every-page";
import { CALM, LIVE } from "@/shared/polling";
import { useChange } from "@/shared/use-change";

const JOIN_TOKENS = ["join-tokens"];
const AUDIT = ["audit"];

export function useNewJoinToken(): UseMutationResult<Schemas["JoinToken"], Error, Schemas["NewJoinToken"]> {
  return useChange(
    (api, body: Schemas["NewJoinToken"]) => answer(api.POST("/api/v1/join-tokens", { body })),
    JOIN_TOKENS,
    AUDIT,
  );
}

export function useJoinTokens(): UseQueryResult<readonly Schemas["JoinTokenEntry"][]> {
  const api = useApi();
  return useQuery({
    queryKey: JOIN_TOKENS,
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        answer(
          api.GET("/api/v1/join-tokens", { params: { query: { limit: 500, ...(cursor && { cursor }) } }, signal }),
        ),
      ),
    refetchInterval: CALM,
  });
}

/** The workers that a join token has admitted so far. */
export function useAdmissions(id: string): UseQueryResult<Schemas["JoinTokenAdmissions"]> {
  const api = useApi();
  return useQuery({
    queryKey: [...JOIN_TOKENS, id],
    queryFn: ({ signal }) => answer(api.GET("/api/v1/join-tokens/{id}", { params: { path: { id } }, signal })),
    refetchInterval: LIVE,
  });
}

export function useJoinTokenRevocation(id: string): UseMutationResult<void, Error, void> {
  return useChange(
    (api) => done(api.DELETE("/api/v1/join-tokens/{id}", { params: { path: { id } } })),
    JOIN_TOKENS,
    AUDIT,
  );
}
