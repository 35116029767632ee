import { useQuery, useQueryClient, type UseMutationResult, type UseQueryResult } from "@tanstack/react-query";

import { useApi } from "@/api/api-context";
import { answer, type Api } from "@/api/client";
import type { Schemas } from "@/api/schemas";
import { useChange } from "@/shared/use-change";

import { withEarlier, withNewest, type LogLines } from "./log-lines";

const PAGE = 200;

function keyOf(run: string): readonly string[] {
  return ["log", run];
}

/** Reads the end of the log, and keeps the earlier lines that were read. */
export function useLog(run: string): UseQueryResult<LogLines> {
  const api = useApi();
  return useQuery({
    queryKey: keyOf(run),
    queryFn: async ({ client, signal }) => {
      const newest = await page(api, run, undefined, signal);
      return withNewest(client.getQueryData<LogLines>(keyOf(run)), newest);
    },
  });
}

/** Reads the page before the known lines. */
export function useEarlierLog(run: string): UseMutationResult<void> {
  const client = useQueryClient();
  return useChange(async (api) => {
    const earlier = client.getQueryData<LogLines>(keyOf(run))?.earlier;
    if (earlier != null) {
      const read = await page(api, run, earlier);
      client.setQueryData<LogLines>(keyOf(run), (known) =>
        // The log may have been restarted meanwhile.
        known?.earlier === earlier ? withEarlier(known, read) : known,
      );
    }
  });
}

async function page(
  api: Api,
  run: string,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<Schemas["LogPage"]> {
  const query = { sort: "-at", limit: PAGE, ...(cursor !== undefined && { cursor }) };
  const headers = { Accept: "application/json" };
  // Excludes the text form of the log, which the description also allows.
  return (await answer(
    api.GET("/api/v1/runs/{id}/log", { params: { path: { id: run }, query }, headers, signal: signal ?? null }),
  )) as Schemas["LogPage"];
}
