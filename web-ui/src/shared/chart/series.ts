import type { Row } from "@/shared/csv";

/** One line of a chart: values over an axis that grows. */
export interface Series {
  readonly key: string;
  readonly label: string;
  readonly color: string;
  readonly x: readonly number[];
  readonly y: readonly (number | null)[];
  /** Between which values a band lies around it, one for each of x. */
  readonly band?: { readonly low: readonly number[]; readonly high: readonly number[] };
  /** The key of the line whose raw values these are: drawn faintly behind it, and not told of by the legend. */
  readonly rawOf?: string;
  /** Told apart by more than its colour, where lines outnumber colours. */
  readonly isDashed?: boolean;
  /** Whether each value bears a mark of its own, where few were measured. */
  readonly hasPoints?: boolean;
}

export interface Axes {
  readonly xLabel: string;
  readonly yLabel: string;
  readonly isLogX?: boolean;
  readonly isLogY?: boolean;
}

/** On a logarithmic axis nothing that is not positive has a place. */
export function drawable(series: Series, { isLogX, isLogY }: Axes): Series {
  if (!isLogX && !isLogY) {
    return series;
  }
  const kept = series.x.flatMap((x, index) => {
    const y = series.y[index] ?? null;
    return (isLogX && x <= 0) || (isLogY && y !== null && y <= 0) ? [] : [index];
  });
  const pick = <Value>(values: readonly Value[]): Value[] => kept.map((index) => values[index] as Value);
  return {
    ...series,
    x: pick(series.x),
    y: pick(series.y),
    ...(series.band && {
      band: {
        low: pick(series.band.low).map((low, at) => (isLogY && low <= 0 ? (series.y[kept[at] ?? 0] ?? low) : low)),
        high: pick(series.band.high),
      },
    }),
  };
}

/** A row for each point, with the name of its line, below the heads. */
export function tableOf(series: readonly Series[], { xLabel, yLabel }: Axes): readonly Row[] {
  return [
    ["series", xLabel, yLabel, "low", "high"],
    ...series
      .filter(({ rawOf }) => rawOf === undefined)
      .flatMap(({ label, x, y, band }) =>
        x.map((at, index): Row => [label, at, y[index], band?.low[index], band?.high[index]]),
      ),
  ];
}

/** The exponential moving average of the values, unbiased at their beginning (as Adam's); weight 0 changes nothing. */
export function smoothed(values: readonly (number | null)[], weight: number): (number | null)[] {
  let mean = 0;
  let scale = 0;
  return values.map((value) => {
    if (value === null || weight === 0) {
      return value;
    }
    mean = weight * mean + (1 - weight) * value;
    scale = weight * scale + (1 - weight);
    return mean / scale;
  });
}
