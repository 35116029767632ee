import type { Schemas } from "@/api/schemas";
import { PHASES, type Phase } from "@/shared/chart/palette";

/** A phase of a thread of a rank, in microseconds since the run began. */
export interface Slice {
  readonly lane: number;
  readonly phase: Phase;
  readonly begun: number;
  readonly ended: number;
}

export interface Lanes {
  readonly names: readonly string[];
  readonly slices: readonly Slice[];
  readonly dropped: number;
}

/** Returns the slices of a trace by lane; a thread without slices has no lane. */
export function lanes({ traceEvents, otherData }: Schemas["ChromeTrace"]): Lanes {
  const named = new Map<number, string>();
  const used = new Set<number>();
  for (const { ph, name, tid, args } of traceEvents) {
    if (ph === "M" && name === "thread_name" && tid !== undefined) {
      named.set(tid, typeof args?.name === "string" ? args.name : tid.toString());
    } else if (ph === "X" && tid !== undefined) {
      used.add(tid);
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
  return { names: order.map((tid) => named.get(tid) ?? tid.toString()), slices, dropped: otherData.droppedSlices };
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
