import { useQuery, type UseMutationResult, type UseQueryResult } from "@tanstack/react-query";

import { useApi } from "@/api/api-context";
import { answer, done } from "@/api/client";
import type { Schemas, Token } from "@/api/schemas";
import { everyPage } from "@/shared/every-page";
import { CALM } from "@/shared/polling";
import { useChange } from "@/shared/use-change";

const TOKENS = ["tokens"];

/** The caller's tokens; for administrators all tokens. */
export function useTokens(): UseQueryResult<readonly Token[]> {
  const api = useApi();
  return useQuery({
    queryKey: TOKENS,
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        answer(api.GET("/api/v1/tokens", { params: { query: { limit: 500, ...(cursor && { cursor }) } }, signal })),
      ),
    refetchInterval: CALM,
  });
}

export function useNewToken(): UseMutationResult<Token, Error, Schemas["NewToken"]> {
  return useChange((api, body: Schemas["NewToken"]) => answer(api.POST("/api/v1/tokens", { body })), TOKENS);
}

export function useRevocation(id: string): UseMutationResult<void, Error, void> {
  return useChange((api) => done(api.DELETE("/api/v1/tokens/{id}", { params: { path: { id } } })), TOKENS);
}

/** Ends all sessions, and reads the caller again to notice at once if this session has ended. */
export function useNewPassword(): UseMutationResult<void, Error, Schemas["NewPassword"]> {
  return useChange((api, body: Schemas["NewPassword"]) => done(api.PUT("/api/v1/me/password", { body })), ["caller"]);
}
