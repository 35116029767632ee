import type { Schemas } from "@/api/schemas";
import { PHASES, type Phase } from "@/shared/chart/palette";

/** A phase of a thread of a rank, in microseconds since the first slice of the run. */
export interface Slice {
  readonly lane: number;
  readonly phase: Phase;
  readonly begun: number;
  readonly ended: number;
}

/** Beginning of an epoch on the rank that comes first, in microseconds since the first slice of the run. */
export interface EpochStart {
  readonly epoch: number;
  readonly begun: number;
}

export interface Lanes {
  readonly names: readonly string[];
  /** Beginnings of the epochs in microseconds, in ascending order. */
  readonly epochs: readonly EpochStart[];
  readonly slices: readonly Slice[];
  readonly dropped: number;
}

/** Returns the slices of a trace by lane; a thread without slices has no lane. */
export function lanes({ traceEvents, otherData }: Schemas["ChromeTrace"]): Lanes {
  const named = new Map<number, string>();
  const used = new Set<number>();
  const starts = new Map<number, number>();
  for (const { ph, name, tid, ts, args } of traceEvents) {
    if (ph === "M" && name === "thread_name" && tid !== undefined) {
      named.set(tid, typeof args?.name === "string" ? args.name.replace(" on ", " · ") : tid.toString());
    } else if (ph === "X" && tid !== undefined) {
      used.add(tid);
      if (ts !== undefined && typeof args?.epoch === "number") {
        starts.set(args.epoch, Math.min(ts, starts.get(args.epoch) ?? ts));
      }
    }
  }
  const order = [...used].sort((a, b) => a - b);
  const lane = new Map(order.map((tid, index) => [tid, index]));
  const slices = traceEvents.flatMap(({ ph, name, tid, ts, dur }): Slice[] => {
    const phase = PHASES.find((each) => each === name);
    const at = tid === undefined ? undefined : lane.get(tid);
    return ph === "X" && phase !== undefined && at !== undefined && ts !== undefined
      ? [{ lane: at, phase, begun: ts, ended: ts + (dur ?? 0) }]
      : [];
  });
  slices.sort((a, b) => a.begun - b.begun);
  return {
    names: order.map((tid) => named.get(tid) ?? tid.toString()),
    epochs: [...starts].map(([epoch, begun]) => ({ epoch, begun })).sort((a, b) => a.epoch - b.epoch),
    slices,
    dropped: otherData.droppedSlices,
  };
}

/** Returns the epochs that begin between two moments, evenly thinned to at most `most`. */
export function marks(epochs: readonly EpochStart[], from: number, to: number, most: number): readonly EpochStart[] {
  const shown = epochs.filter(({ begun }) => begun >= from && begun <= to);
  const every = Math.ceil(shown.length / most);
  return shown.filter((_, index) => index % every === 0);
}

/**
 * Returns the slices to draw between two moments. Slices narrower than `least` are joined with the following ones of
 * their lane, as the phase that took most of the time. This bounds the number of drawn slices, however long the trace.
 */
export function drawn(slices: readonly Slice[], from: number, to: number, least: number): readonly Slice[] {
  const open = new Map<number, { begun: number; ended: number; seconds: Map<Phase, number> }>();
  const result: Slice[] = [];
  const close = (lane: number): void => {
    const joined = open.get(lane);
    if (joined !== undefined) {
      const [phase] = [...joined.seconds].reduce((a, b) => (b[1] > a[1] ? b : a));
      result.push({ lane, phase, begun: joined.begun, ended: joined.ended });
      open.delete(lane);
    }
  };
  for (const slice of slices) {
    if (slice.ended < from || slice.begun > to) {
      continue;
    }
    const length = slice.ended - slice.begun;
    if (length >= least) {
      close(slice.lane);
      result.push(slice);
      continue;
    }
    const joined = open.get(slice.lane) ?? {
      begun: slice.begun,
      ended: slice.ended,
      seconds: new Map<Phase, number>(),
    };
    joined.ended = slice.ended;
    joined.seconds.set(slice.phase, (joined.seconds.get(slice.phase) ?? 0) + length);
    open.set(slice.lane, joined);
    if (joined.ended - joined.begun >= least) {
      close(slice.lane);
    }
  }
  [...open.keys()].forEach(close);
  return result;
}
