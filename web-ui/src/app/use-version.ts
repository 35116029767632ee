import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import type { Schemas } from "@/api/schemas";

/** Version of the service, which an upgrade changes while the dashboard is open. */
export function useVersion(): UseQueryResult<Schemas["ServiceVersion"]> {
  const api = useApi();
  return useQuery({
    queryKey: ["version"],
    queryFn: ({ signal }) => answer(api.GET("/api/v1/version", { signal })),
    staleTime: 60_000,
  });
}
