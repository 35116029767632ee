import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { useApi } from "@/api/api-context";
import { answer } from "@/api/client";
import { follow } from "@/api/event-stream";
import { ServiceProblem } from "@/api/problem";
import type { Run, Schemas } from "@/api/schemas";
import { CALM } from "@/shared/polling";
import { isFinal } from "@/shared/run/run-states";

import type { XAxis } from "./run-search";

/** No two drawings of what comes all the time are closer, in milliseconds. */
const BEAT = 1_000;

/** One run with all that is known of it. */
export function useRun(run: string): UseQueryResult<Run> {
  const api = useApi();
  return useQuery({
    queryKey: ["runs", "whole", run],
    queryFn: ({ signal }) => answer(api.GET("/api/v1/runs/{id}", { params: { path: { id: run } }, signal })),
    // Its place in the queue moves without an event of its own.
    refetchInterval: ({ state }) => (state.data?.state === "QUEUED" ? CALM : false),
  });
}

export function useMetrics(run: string): UseQueryResult<Schemas["MetricList"]> {
  const api = useApi();
  return useQuery({
    queryKey: ["curves", run, "metrics"],
    queryFn: ({ signal }) => answer(api.GET("/api/v1/runs/{id}/metrics", { params: { path: { id: run } }, signal })),
  });
}

/** The curves of a metric, one a rank, over the axis that they were read for. */
export interface Curves {
  readonly x: XAxis;
  readonly curves: readonly Schemas["MetricCurve"][];
}

/** While another axis is read, what is there stays, under the name of its own. */
export function useCurves(run: string, name: string, x: XAxis): UseQueryResult<Curves> {
  const api = useApi();
  return useQuery({
    queryKey: ["curves", run, name, x],
    queryFn: async ({ signal }) => {
      const params = { path: { id: run }, query: { name, x, buckets: 500 } };
      return { x, curves: (await answer(api.GET("/api/v1/runs/{id}/curves", { params, signal }))).items };
    },
    placeholderData: keepPreviousData,
  });
}

/** How what is shown of an open run comes: by its stream, or not just now and since when. */
export type Liveness =
  { readonly kind: "live" } | { readonly kind: "stale"; readonly since: number; readonly reason: string };

const LIVE: Liveness = { kind: "live" };

/** Reads anew what the events of the run say has changed, once a beat at most, until its end. */
export function useLiveRun(run: Run | undefined): Liveness {
  const api = useApi();
  const client = useQueryClient();
  const [liveness, setLiveness] = useState<Liveness>(LIVE);
  const id = run?.id;
  const isOpen = run !== undefined && !isFinal(run.state);

  useEffect(() => {
    if (id === undefined || !isOpen) {
      return;
    }
    const leaving = new AbortController();
    const changed = new Set<"run" | "curves" | "log">();
    let heard = Date.now();

    const draw = (): void => {
      if (changed.has("run")) {
        void client.invalidateQueries({ queryKey: ["runs", "whole", id] });
      }
      if (changed.has("curves")) {
        void client.invalidateQueries({ queryKey: ["curves", id] });
      }
      if (changed.has("log")) {
        void client.invalidateQueries({ queryKey: ["log", id] });
      }
      changed.clear();
    };
    const beat = setInterval(draw, BEAT);

    void follow(
      api,
      `/api/v1/runs/${id}/events`,
      {
        onEvent({ type }) {
          if (type === "metrics") {
            changed.add("curves");
          } else {
            changed.add("run");
            changed.add("log");
            // Who is placed anew, or set back, does some rounds again.
            if (type === "epoch" || type === "placed" || type === "set-back") {
              changed.add("curves");
            }
          }
        },
        onSign() {
          heard = Date.now();
          setLiveness(LIVE);
        },
        onBreak(reason) {
          setLiveness({ kind: "stale", since: heard, reason: reason.message });
          if (reason instanceof ServiceProblem) {
            // The run may be gone, or the session over; the run's own answer says which.
            changed.add("run");
          }
        },
        onEnd() {
          changed.add("run").add("curves").add("log");
        },
      },
      leaving.signal,
    );
    return () => {
      clearInterval(beat);
      leaving.abort();
      // What came between the last beat and the end is not lost.
      void client.invalidateQueries({ queryKey: ["curves", id] });
      void client.invalidateQueries({ queryKey: ["log", id] });
    };
  }, [api, client, id, isOpen]);

  return isOpen ? liveness : LIVE;
}
