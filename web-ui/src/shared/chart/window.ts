/** The range of an axis that is in view. */
export type Window = readonly [from: number, to: number];

export const ZOOM_STEPS = ["closer", "farther", "earlier", "later", "all"] as const;
export type ZoomStep = (typeof ZOOM_STEPS)[number];

/** Least fraction of the axis in view; the labels of a smaller range would be equal. */
const MIN_FRACTION = 1e-4;

/** Returns the range in view after a zoom step; it stays inside the whole axis. */
export function zoomed(view: Window, whole: Window, step: ZoomStep, isLog = false): Window {
  if (isLog) {
    const [from, to] = zoomed(powers(view), powers(whole), step);
    return [10 ** from, 10 ** to];
  }
  if (step === "all") {
    return whole;
  }
  const [from, to] = view;
  const [first, last] = whole;
  const wanted = (to - from) * (step === "closer" ? 0.5 : step === "farther" ? 2 : 1);
  const width = Math.min(last - first, Math.max(MIN_FRACTION * (last - first), wanted));
  const shift = (step === "earlier" ? -0.5 : step === "later" ? 0.5 : 0) * (to - from);
  const begin = Math.max(first, Math.min(last - width, (from + to - width) / 2 + shift));
  return [begin, begin + width];
}

function powers([from, to]: Window): Window {
  return [Math.log10(from), Math.log10(to)];
}
