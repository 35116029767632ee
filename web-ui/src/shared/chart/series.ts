/** One line of a chart: values over an axis that grows. */
export interface Series {
  readonly key: string;
  readonly label: string;
  readonly color: string;
  readonly x: readonly number[];
  readonly y: readonly (number | null)[];
  /** Between which values a band lies around it, one for each of x. */
  readonly band?: { readonly low: readonly number[]; readonly high: readonly number[] };
  /** Drawn behind the others, and not told of by the legend: the raw values of a line that is smoothed. */
  readonly isFaint?: boolean;
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

/** One row for each point, with the name of its line. */
export function toCsv(series: readonly Series[], { xLabel, yLabel }: Axes): string {
  const lines = series
    .filter(({ isFaint }) => isFaint !== true)
    .flatMap(({ label, x, y, band }) =>
      x.map((at, index) =>
        [quoted(label), at, y[index] ?? "", band?.low[index] ?? "", band?.high[index] ?? ""].join(","),
      ),
    );
  return [["series", quoted(xLabel), quoted(yLabel), "low", "high"].join(","), ...lines, ""].join("\n");
}

/** Nothing that a spreadsheet would take for a formula stands at the beginning of a text. */
export function quoted(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
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
