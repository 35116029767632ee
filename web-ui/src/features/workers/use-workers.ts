import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import type { Worker } from "@/api/schemas";
import { LIVE } from "@/shared/polling";

export function useWorkers(): UseQueryResult<readonly Worker[]> {
  const api = useApi();
  return useQuery({
    queryKey: ["workers"],
    queryFn: async ({ signal }) => (await answer(api.GET("/api/v1/workers", { signal }))).items,
    refetchInterval: LIVE,
  });
}
