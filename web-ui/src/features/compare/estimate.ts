/** A mean with its 95 % confidence interval, which is the mean itself for a single value. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

/** Student's t at 0.975, from one degree of freedom. */
const QUANTILES = [
  12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622, 2.2281, 2.201, 2.1788, 2.1604, 2.1448, 2.1314,
  2.1199, 2.1098, 2.1009, 2.093, 2.086, 2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
];

const NORMAL = 1.959964;

/** Estimates like the service: mean ± t(0.975; n − 1) s / √n. */
export function estimate(values: readonly number[]): Estimate {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  if (count < 2) {
    return { mean, low: mean, high: mean, count };
  }
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  const half = quantile(count - 1) * Math.sqrt(variance / count);
  return { mean, low: mean - half, high: mean + half, count };
}

/** Beyond the table, the first term of Fisher's expansion is exact to a thousandth. */
function quantile(degrees: number): number {
  return QUANTILES[degrees - 1] ?? NORMAL + (NORMAL ** 3 + NORMAL) / (4 * degrees);
}
