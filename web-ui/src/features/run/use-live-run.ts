import { skipToken, useQuery, useQueryClient, type Query, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { useApi } from "@/api/api-context";
import { follow, type StreamedEvent, type StreamListener } from "@/api/event-stream";
import { ServiceProblem } from "@/api/problem";
import type { Run, Schemas } from "@/api/schemas";
import { CALM } from "@/shared/polling";
import { isFinal } from "@/shared/run/run-states";

import { curveKey, isStreamed, withPoints, type LivePoints } from "./live-points";
import { ReadSchedule } from "./read-schedule";
import type { XAxis } from "./run-search";

/** Period of drawing streamed data, and least time between two reads of data that change rarely, in milliseconds. */
const UPDATE_PERIOD = 1_000;

/** Least time between two reads of the run if only its progress is known to have changed, in milliseconds. */
const PROGRESS_PERIOD = 15_000;

const NO_POINTS: LivePoints = new Map();

/** How an open run is updated: live by its stream, or interrupted since a moment. */
export type Liveness =
  { readonly kind: "live" } | { readonly kind: "stale"; readonly since: number; readonly reason: string };

const LIVE: Liveness = { kind: "live" };

/** Returns the points that the stream of an open run has brought. */
export function useLivePoints(run: string): LivePoints {
  return useQuery<LivePoints>({ queryKey: pointsOf(run), queryFn: skipToken }).data ?? NO_POINTS;
}

function pointsOf(run: string): readonly string[] {
  return ["live points", run];
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

/** Data that are read; the curves of epochs are those that the stream does not continue. */
const SUBJECTS = ["run", "curves", "epoch curves", "log"] as const;
type Subject = (typeof SUBJECTS)[number];

/** The data of an open run in the query client: the stream changes some, and the others are read again. */
class LivePage {
  readonly #client: QueryClient;
  readonly #run: string;
  readonly #schedule = new ReadSchedule<Subject>(SUBJECTS, Date.now());
  #points = NO_POINTS;
  #progress: Schemas["Progress"] | undefined;

  constructor(client: QueryClient, run: string) {
    this.#client = client;
    this.#run = run;
    client.setQueryData(pointsOf(run), NO_POINTS);
  }

  readAll(): void {
    SUBJECTS.forEach((subject) => {
      this.#schedule.demand(subject, 0);
    });
  }

  readRun(): void {
    this.#schedule.demand("run", UPDATE_PERIOD);
  }

  take({ type, data }: StreamedEvent): void {
    if (type === "forgotten") {
      this.#schedule.demand("curves", UPDATE_PERIOD);
      return;
    }
    const { event } = JSON.parse(data) as Partial<Schemas["NumberedEvent"]>;
    switch (event?.type) {
      case "metrics":
        this.#append(event);
        break;
      case "progress":
        this.#progress = event.progress;
        this.#schedule.demand("run", PROGRESS_PERIOD);
        break;
      case "epoch":
        this.#schedule.demand("run", CALM);
        this.#schedule.demand("epoch curves", CALM);
        this.#schedule.demand("log", CALM);
        break;
      case "placed":
      case "set-back":
        // A reconfigured or restarted run repeats some rounds: their earlier points are void.
        this.#points = NO_POINTS;
        this.#schedule.demand("curves", UPDATE_PERIOD);
        this.#readRunAndLog();
        break;
      default:
        this.#readRunAndLog();
    }
  }

  #append(event: Schemas["RunEvent.Metrics"]): void {
    if (!this.#points.has(curveKey(event.name, event.rank))) {
      // The curve may be new.
      this.#schedule.demand("curves", UPDATE_PERIOD);
    }
    this.#points = withPoints(this.#points, event);
  }

  #readRunAndLog(): void {
    this.#schedule.demand("run", UPDATE_PERIOD);
    this.#schedule.demand("log", UPDATE_PERIOD);
  }

  /** Shows what the stream has brought since the last time, and reads what is due. */
  draw(): void {
    this.#client.setQueryData(pointsOf(this.#run), this.#points);
    const progress = this.#progress;
    if (progress !== undefined) {
      this.#progress = undefined;
      this.#client.setQueryData<Run>(runKey(this.#run), (run) => run && { ...run, progress });
    }
    const due = this.#schedule.take(Date.now());
    // The curves of epochs are among all curves.
    const subjects = due.includes("curves") ? due.filter((subject) => subject !== "epoch curves") : due;
    subjects.forEach((subject) => {
      this.#read(subject);
    });
  }

  #read(subject: Subject): void {
    switch (subject) {
      case "run":
        void this.#client.invalidateQueries({ queryKey: runKey(this.#run) });
        break;
      case "curves":
        void this.#client.invalidateQueries({ queryKey: ["curves", this.#run] });
        break;
      case "epoch curves":
        void this.#client.invalidateQueries({
          queryKey: ["curves", this.#run],
          predicate: (query) => !this.#isContinued(query),
        });
        break;
      case "log":
        void this.#client.invalidateQueries({ queryKey: ["log", this.#run] });
    }
  }

  /** Whether the stream continues the curves of a query. */
  #isContinued({ queryKey: [, , name, x] }: Query): boolean {
    return (
      x !== undefined &&
      isStreamed(x as XAxis) &&
      [...this.#points.keys()].some((key) => key.endsWith(` ${String(name)}`))
    );
  }

  /** Reads what came between the last update and the end; the curves then need no streamed points. */
  leave(): void {
    void this.#client.invalidateQueries({ queryKey: ["log", this.#run] });
    void this.#client
      .invalidateQueries({ queryKey: ["curves", this.#run] })
      .then(() => this.#client.setQueryData(pointsOf(this.#run), NO_POINTS));
  }
}

function runKey(run: string): readonly string[] {
  return ["runs", "whole", run];
}
