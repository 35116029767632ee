import type { Run } from "@/api/schemas";

type Times = NonNullable<Run["times"]>;
type PhaseSeconds = Times["phases"];

/** Run phases in the order of their first occurrence, with their titles. */
export const RUN_PHASES: readonly (readonly [keyof PhaseSeconds, string])[] = [
  ["rendezvousSeconds", "rendezvous"],
  ["dataSeconds", "data"],
  ["warmUpSeconds", "warm-up"],
  ["restoreSeconds", "restore"],
  ["calibrationSeconds", "calibration"],
  ["trainingSeconds", "training"],
  ["evaluationSeconds", "evaluation"],
  ["checkpointSeconds", "checkpoint"],
  ["coordinationSeconds", "coordination"],
];

/** Elapsed time of a run, or of one of its ranks in one generation. */
export interface PhaseRow {
  readonly name: string;
  readonly elapsedSeconds: number;
  readonly phases: PhaseSeconds;
}

/** Returns the times of the run and, behind it, those of each rank; none before a rank has reported any. */
export function phaseRows({ times, generation }: Run): readonly PhaseRow[] {
  if (times === null) {
    return [];
  }
  return [
    { ...times, name: "run" },
    ...times.ranks.map((each) => ({
      ...each,
      name: generation === 1 ? `rank ${each.rank.toString()}` : nameIn(each.generation, each.rank),
    })),
  ];
}

function nameIn(generation: number, rank: number): string {
  return `generation ${generation.toString()}, rank ${rank.toString()}`;
}
