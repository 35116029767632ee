/** Range in which all values of a metric lie; an end without a limit is undefined. */
export interface Bounds {
  readonly least?: number;
  readonly greatest?: number;
}

const UNBOUNDED: Bounds = {};
const FRACTION: Bounds = { least: 0, greatest: 1 };
const AMOUNT: Bounds = { least: 0 };

/** Words of the names of metrics and figures, with the bounds of their values; the first match counts. */
const WORDS: readonly (readonly [RegExp, Bounds])[] = [
  [/accuracy|fraction/i, FRACTION],
  [/loss|time|second|byte|distance|sample|speedup|efficiency|ratio|thread|GiB/i, AMOUNT],
];

/** Returns the bounds of a metric or a figure by its name: `test/accuracy`, `secondsToTarget`. */
export function boundsOf(name: string): Bounds {
  return WORDS.find(([words]) => words.test(name))?.[1] ?? UNBOUNDED;
}
