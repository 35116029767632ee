import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { useApi } from "@/api/api-context";
import { follow, type StreamListener } from "@/api/event-stream";
import { ServiceProblem } from "@/api/problem";
import type { Run } from "@/api/schemas";
import { isFinal } from "@/shared/run/run-states";

import { LivePage, NO_POINTS, pointsOf, UPDATE_PERIOD } from "./live-page";
import type { LivePoints } from "./live-points";

/** How an open run is updated: live by its stream, or interrupted since a moment. */
export type Liveness =
  { readonly kind: "live" } | { readonly kind: "stale"; readonly since: number; readonly reason: string };

const LIVE: Liveness = { kind: "live" };

/** Returns the points that the stream of an open run has brought. */
export function useLivePoints(run: string): LivePoints {
  return useQuery<LivePoints>({ queryKey: pointsOf(run), queryFn: skipToken }).data ?? NO_POINTS;
}

/** Shows what the events of the run bring, and reads again what they report as changed, until its end. */
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
    const page = new LivePage(client, id);
    const beat = setInterval(() => {
      // A hidden page takes in what the stream brings, and reads nothing.
      if (!document.hidden) {
        page.draw();
      }
    }, UPDATE_PERIOD);
    void follow(api, `/api/v1/runs/${id}/events?live=true`, listener(page, setLiveness), leaving.signal);
    return () => {
      clearInterval(beat);
      leaving.abort();
      page.leave();
    };
  }, [api, client, id, isOpen]);

  return isOpen ? liveness : LIVE;
}

function listener(page: LivePage, setLiveness: (liveness: Liveness) => void): StreamListener {
  let lastSign = Date.now();
  return {
    onStart() {
      page.readAll();
    },
    onEvent(event) {
      page.take(event);
    },
    onSign() {
      lastSign = Date.now();
      setLiveness(LIVE);
    },
    onBreak(reason) {
      setLiveness({ kind: "stale", since: lastSign, reason: reason.message });
      if (reason instanceof ServiceProblem) {
        // The run may be deleted, or the session over; the response for the run tells which.
        page.readRun();
      }
    },
    onEnd() {
      page.readAll();
    },
  };
}
