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

/** Least time between two updates of streamed data, in milliseconds. */
const UPDATE_PERIOD = 1_000;

/** A run with all its data. */
export function useRun(run: string): UseQueryResult<Run> {
  const api = useApi();
  return useQuery({
    queryKey: ["runs", "whole", run],
    queryFn: ({ signal }) => answer(api.GET("/api/v1/runs/{id}", { params: { path: { id: run } }, signal })),
    // Its queue position changes without an event of the run.
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

/** The curves of a metric, one for each rank, with the axis for which they were read. */
export interface Curves {
  readonly x: XAxis;
  readonly curves: readonly Schemas["MetricCurve"][];
}

/** While another axis is read, the previous curves stay, with the name of their own axis. */
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

/** How an open run is updated: live by its stream, or interrupted since a moment. */
export type Liveness =
  { readonly kind: "live" } | { readonly kind: "stale"; readonly since: number; readonly reason: string };

const LIVE: Liveness = { kind: "live" };

/** Reads again what the events of the run report as changed, at most once per period, until its end. */
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
    let lastSign = Date.now();

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
    const beat = setInterval(draw, UPDATE_PERIOD);

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
            // A reconfigured or restarted run repeats some rounds.
            if (type === "epoch" || type === "placed" || type === "set-back") {
              changed.add("curves");
            }
          }
        },
        onSign() {
          lastSign = Date.now();
          setLiveness(LIVE);
        },
        onBreak(reason) {
          setLiveness({ kind: "stale", since: lastSign, reason: reason.message });
          if (reason instanceof ServiceProblem) {
            // The run may be deleted, or the session over; the response for the run tells which.
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
      // Draws what came between the last update and the end.
      void client.invalidateQueries({ queryKey: ["curves", id] });
      void client.invalidateQueries({ queryKey: ["log", id] });
    };
  }, [api, client, id, isOpen]);

  return isOpen ? liveness : LIVE;
}
