import type { Schemas } from "@/api/schemas";

import type { Figure } from "./workers-search";

type Profile = Schemas["Profile"];
type Kernel = Schemas["Kernel"];
type Point = Schemas["MeasuredPoint"];

export function kernelsOf(profiles: readonly Profile[]): readonly Kernel["kind"][] {
  return [...new Set(profiles.flatMap(({ curves }) => curves.map(({ kernel }) => kernel.kind)))];
}

export function networksOf(profiles: readonly Profile[]): readonly string[] {
  return [...new Set(profiles.map(({ network }) => network))].sort();
}

/** Returns the profiles in use (the newest complete one of each load), and those that are being measured. */
export function usuallyDrawn(profiles: readonly Profile[]): readonly Profile[] {
  const newest = new Map<number, Profile>();
  for (const profile of profiles.filter(({ state }) => state === "COMPLETE")) {
    const before = newest.get(profile.load);
    if (before === undefined || before.number < profile.number) {
      newest.set(profile.load, profile);
    }
  }
  return profiles.filter((profile) => profile.state === "MEASURING" || newest.get(profile.load) === profile);
}

export interface SpeedLine {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly band: { readonly low: readonly number[]; readonly high: readonly number[] };
  readonly disturbed: readonly number[];
}

/** Returns the speed function, or the times behind it, with the bounds of its confidence interval. */
export function speedLine(profile: Profile, kernel: Kernel["kind"], figure: Figure): SpeedLine {
  const points = (profile.curves.find((curve) => curve.kernel.kind === kernel)?.points ?? []).filter(
    ({ meanSeconds }) => meanSeconds > 0,
  );
  const of = (seconds: (point: Point) => number): number[] =>
    points.map((point) => (figure === "time" ? seconds(point) : work(kernel, point.size) / seconds(point)));
  // A wide confidence interval may reach a time of zero, whose speed an axis cannot show.
  const least = ({ meanSeconds, confidenceSeconds }: Point): number =>
    Math.max(meanSeconds - confidenceSeconds, meanSeconds / 10);
  const most = ({ meanSeconds, confidenceSeconds }: Point): number => meanSeconds + confidenceSeconds;
  const [fast, slow] = [of(least), of(most)];
  return {
    x: points.map(({ size }) => size),
    y: of(({ meanSeconds }) => meanSeconds),
    band: figure === "time" ? { low: fast, high: slow } : { low: slow, high: fast },
    disturbed: points.filter(({ disturbed }) => disturbed).map(({ size }) => size),
  };
}

/** Returns the seconds of a sigmoid at the largest size where it was measured, of a perceptron's training step. */
export function sigmoidSeconds(profile: Profile): number | undefined {
  const points = profile.curves.find(({ kernel }) => kernel.kind === "training-step")?.points ?? [];
  return points.findLast(({ sigmoidSeconds: seconds }) => seconds !== undefined)?.sigmoidSeconds;
}

/** Work of a size: samples of a step, or 10^9 operations of a product of two square matrices. */
function work(kernel: Kernel["kind"], size: number): number {
  return kernel === "gemm" ? (2 * size ** 3) / 1e9 : size;
}

export function sizeLabel(kernel: Kernel["kind"]): string {
  return kernel === "gemm" ? "side of the matrices" : "mini-batch";
}

export function figureLabel(kernel: Kernel["kind"], figure: Figure): string {
  return figure === "time" ? "seconds" : kernel === "gemm" ? "10⁹ operations per second" : "samples per second";
}

export function kernelName(kernel: Kernel["kind"]): string {
  return kernel === "gemm" ? "Matrix product" : "Training step";
}
