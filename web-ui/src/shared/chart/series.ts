import type { Row } from "@/shared/csv";

/** A line of a chart: values over an increasing axis. */
export interface Series {
  readonly key: string;
  readonly label: string;
  readonly color: string;
  readonly x: readonly number[];
  readonly y: readonly (number | null)[];
  /** Bounds of a band around the line, one pair for each x. */
  readonly band?: { readonly low: readonly number[]; readonly high: readonly number[] };
  /** The key of the line whose raw values these are: drawn faintly behind it, without a legend entry. */
  readonly rawOf?: string;
  /** Dashed, to tell lines apart when there are more lines than colors. */
  readonly isDashed?: boolean;
  /** Whether each value has a marker, for lines with few points. */
  readonly hasPoints?: boolean;
  /** Whether null values interrupt the line and its band; without it, the line spans them. */
  readonly hasGaps?: boolean;
}

export interface Axes {
  readonly xLabel: string;
  readonly yLabel: string;
  readonly isLogX?: boolean;
  readonly isLogY?: boolean;
}

/** Drops the points that are not positive, which a logarithmic axis cannot show. */
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

/** Returns a table with a header and a row for each point, with the name of its line. */
export function tableOf(series: readonly Series[], { xLabel, yLabel }: Axes): readonly Row[] {
  return [
    ["series", xLabel, yLabel, "low", "high"],
    ...series
      .filter(({ rawOf }) => rawOf === undefined)
      .flatMap(({ label, x, y, band, hasGaps = false }) =>
        x.flatMap((at, index): readonly Row[] =>
          hasGaps && y[index] === null ? [] : [[label, at, y[index], band?.low[index], band?.high[index]]],
        ),
      ),
  ];
}

/** Exponential moving average of the values, with bias correction as in Adam; weight 0 returns them unchanged. */
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
