import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import type { Caller } from "@/api/schemas";

/** Who the token belongs to. */
export function useCaller(): UseQueryResult<Caller> {
  const api = useApi();
  return useQuery({
    queryKey: ["caller"],
    queryFn: ({ signal }) => answer(api.GET("/api/v1/me", { signal })),
    staleTime: Infinity,
  });
}
