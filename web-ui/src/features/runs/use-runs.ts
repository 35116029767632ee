import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";

import { useApi } from "@/api/api-context";
import { answer, type Api } from "@/api/client";
import type { paths } from "@/api/schema";
import type { RunSummary } from "@/api/schemas";
import { CALM, LIVE } from "@/shared/polling";
import { PLACED_STATES } from "@/shared/run/run-states";

import { joined, type Page } from "./ended-runs";
import { fresh, type Fresh } from "./fresh";
import { NEWEST, type RunsSearch } from "./runs-search";

type Query = NonNullable<paths["/api/v1/runs"]["get"]["parameters"]["query"]>;

const PAGE = 500;
const RECENT = 100;

export interface Runs extends Fresh {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly readMore: () => void;
  readonly readAnew: () => void;
}

/**
 * Reads the runs of a view, page by page on request. Listed runs keep their positions, so that nothing moves below the
 * pointer; open runs and runs that have just ended are updated.
 */
export function useRuns(project: string | undefined, view: RunsSearch): Runs {
  const api = useApi();
  const client = useQueryClient();
  const { state, name, tag, experiment, sort = NEWEST } = view;
  const filter: Query = {
    ...(project !== undefined && { project }),
    ...(name !== undefined && { name }),
    ...(tag !== undefined && { tag }),
    ...(experiment !== undefined && { experiment }),
  };
  const list = useInfiniteQuery({
    queryKey: ["runs", "list", filter, state, sort],
    queryFn: ({ signal, pageParam }) =>
      runs(
        api,
        { ...filter, sort, limit: PAGE, ...(state && { state: [...state] }), ...(pageParam && { cursor: pageParam }) },
        signal,
      ),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: Infinity,
  });
  // Queued runs are read apart, because there may be more than one page of them.
  const open = useQuery({
    queryKey: ["runs", "open", filter],
    queryFn: ({ signal }) => runs(api, { ...filter, state: [...PLACED_STATES], limit: PAGE }, signal),
    refetchInterval: LIVE,
  });
  const queued = useQuery({
    queryKey: ["runs", "queued", filter],
    queryFn: ({ signal }) => runs(api, { ...filter, state: ["QUEUED"], limit: PAGE }, signal),
    refetchInterval: LIVE,
  });
  const endedKey = ["runs", "ended", filter];
  const ended = useQuery({
    queryKey: endedKey,
    queryFn: ({ signal }) =>
      joined(client.getQueryData<readonly RunSummary[]>(endedKey) ?? [], (cursor) =>
        runs(api, { ...filter, sort: "-endedAt", limit: RECENT, ...(cursor && { cursor }) }, signal),
      ),
    refetchInterval: CALM,
  });

  const pages = list.data?.pages;
  const now = open.data?.items;
  const waiting = queued.data?.items;
  const then = ended.data;
  const hasMore = list.hasNextPage;
  const merged = useMemo(
    () =>
      fresh(
        { rows: pages?.flatMap(({ items }) => items) ?? [], sort, hasMore },
        [...(then ?? []), ...(waiting ?? []), ...(now ?? [])],
        state,
      ),
    [pages, now, waiting, then, state, sort, hasMore],
  );

  return {
    ...merged,
    isPending: list.isPending,
    error: list.error ?? open.error,
    hasMore,
    readMore: () => {
      // A failed query is retried by the user, not by each rendering.
      if (list.hasNextPage && !list.isFetching && !list.isFetchNextPageError) {
        void list.fetchNextPage();
      }
    },
    readAnew: () => {
      void list.refetch();
      // Runs that ended earlier are current in the list.
      void client.resetQueries({ queryKey: endedKey });
    },
  };
}

function runs(api: Api, query: Query, signal: AbortSignal): Promise<Page> {
  return answer(api.GET("/api/v1/runs", { params: { query }, signal }));
}
