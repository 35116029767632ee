import "uplot/dist/uPlot.min.css";

import { useEffect, useMemo, useRef, type ReactNode } from "react";
import UPlot from "uplot";

import { compact, ticks } from "@/shared/format";

import { ExportMenu } from "./export-menu";
import classes from "./line-chart.module.css";
import { lineSvg } from "./line-svg";
import { usePalette, type Palette } from "./palette";
import { drawable, toCsv, type Axes, type Series } from "./series";

interface LineChartProps extends Axes {
  /** Says what is drawn, to those who do not see it too. */
  readonly title: string;
  readonly series: readonly Series[];
  readonly height?: number;
  /** Charts of one key show the same place of their axes. */
  readonly linked?: string;
}

/** Lines over a common axis, drawn on a canvas; dragging zooms into the axis, a double click shows all. */
export function LineChart({ title, series, height = 260, linked, ...axes }: LineChartProps): ReactNode {
  const { xLabel, yLabel, isLogX = false, isLogY = false } = axes;
  const palette = usePalette();
  const frame = useRef<HTMLDivElement>(null);
  const chart = useRef<UPlot | null>(null);
  const drawn = useMemo(
    () => series.map((each) => drawable(each, { xLabel, yLabel, isLogX, isLogY })),
    [series, xLabel, yLabel, isLogX, isLogY],
  );
  const data = useMemo(() => joined(drawn), [drawn]);
  const latest = useRef(data);
  // What the chart is made anew for; points that come are not among it.
  const shape = JSON.stringify(
    drawn.map(({ key, label, color, isFaint, isDashed, band }) => [
      key,
      label,
      color,
      isFaint,
      isDashed,
      band !== undefined,
    ]),
  );
  const shown = useRef(drawn);

  useEffect(() => {
    shown.current = drawn;
    latest.current = data;
    if (chart.current) {
      renew(chart.current, data);
    }
  }, [data, drawn]);

  useEffect(() => {
    const place = frame.current;
    if (place === null) {
      return;
    }
    const width = (): number => Math.max(160, place.clientWidth);
    const made = new UPlot(
      options(shown.current, { xLabel, yLabel, isLogX, isLogY }, { palette, linked, width: width(), height }),
      latest.current,
      place,
    );
    chart.current = made;
    const watch = new ResizeObserver(() => {
      made.setSize({ width: width(), height });
    });
    watch.observe(place);
    return () => {
      watch.disconnect();
      made.destroy();
      chart.current = null;
    };
  }, [shape, palette, linked, height, xLabel, yLabel, isLogX, isLogY]);

  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        {title}
        <ExportMenu
          name={title}
          png={() => raster(chart.current, palette)}
          svg={() => lineSvg(title, drawn, axes, palette)}
          csv={() => toCsv(drawn, axes)}
        />
      </figcaption>
      <div ref={frame} role="img" aria-label={spoken(title, drawn, axes)} />
    </figure>
  );
}

function spoken(title: string, series: readonly Series[], { xLabel }: Axes): string {
  const lines = series
    .filter(({ isFaint }) => isFaint !== true)
    .slice(0, 20)
    .map(
      ({ label, y }) =>
        `${label}: ${y.length === 0 ? "nothing yet" : `last ${compact(y.findLast((value) => value !== null))}`}`,
    );
  return `${title} over ${xLabel}. ${lines.join("; ")}`;
}

/** The lines over all their places together, each with its band behind it. */
function joined(series: readonly Series[]): UPlot.AlignedData {
  const tables = series.map(
    ({ x, y, band }) => [x, y, ...(band ? [band.low, band.high] : [])] as unknown as UPlot.AlignedData,
  );
  return tables.length === 0 ? [[]] : UPlot.join(tables);
}

interface Look {
  readonly palette: Palette;
  readonly linked: string | undefined;
  readonly width: number;
  readonly height: number;
}

function options(series: readonly Series[], axes: Axes, { palette, linked, width, height }: Look): UPlot.Options {
  const lines: UPlot.Series[] = [{ label: axes.xLabel, value: (_, value) => compact(value) }];
  const bands: UPlot.Band[] = [];
  for (const { label, color, isFaint, isDashed, hasPoints, band } of series) {
    lines.push({
      label,
      stroke: isFaint ? `${color}40` : color,
      width: isFaint ? 1 : 1.75,
      spanGaps: true,
      points: hasPoints ? { show: true, size: 6, fill: color } : { show: isFaint ? false : isSinglePoint },
      value: (_, value) => compact(value),
      ...(isDashed && { dash: [6, 4] }),
      ...(isFaint && { class: classes.unlisted }),
    });
    if (band) {
      const low = lines.length;
      const hidden = { stroke: "transparent", spanGaps: true, points: { show: false }, class: classes.unlisted };
      lines.push({ ...hidden, label: `${label} (low)` }, { ...hidden, label: `${label} (high)` });
      bands.push({ series: [low + 1, low], fill: `${color}2e` });
    }
  }
  const axis = {
    stroke: palette.dimmed,
    grid: { stroke: palette.grid, width: 1 },
    ticks: { stroke: palette.grid, width: 1 },
  };
  return {
    width,
    height,
    series: lines,
    bands,
    legend: { live: true },
    cursor: {
      ...(linked !== undefined && { sync: { key: linked, setSeries: false } }),
      drag: { x: true, y: false },
      points: { size: 6 },
    },
    scales: { x: { time: false, distr: axes.isLogX ? 3 : 1 }, y: { distr: axes.isLogY ? 3 : 1 } },
    axes: [
      { ...axis, label: axes.xLabel, labelSize: 20, size: 34, values: (_, values) => ticks(values) },
      { ...axis, label: axes.yLabel, labelSize: 20, size: roomFor, values: (_, values) => ticks(values) },
    ],
  };
}

/** New points leave what somebody has zoomed into in view. */
function renew(chart: UPlot, data: UPlot.AlignedData): void {
  const [before] = chart.data;
  const { min, max } = chart.scales.x ?? {};
  const isZoomed =
    min != null && max != null && before.length > 0 && (min > (before[0] ?? min) || max < (before.at(-1) ?? max));
  if (isZoomed) {
    chart.batch(() => {
      chart.setData(data, false);
      chart.setScale("x", { min, max });
    });
  } else {
    chart.setData(data);
  }
}

const LETTER = 7;

/** Pixels beside the axis, so that its label does not stand on the longest of its values. */
function roomFor(_: UPlot, values: readonly string[] | null): number {
  const longest = Math.max(...(values ?? []).map((value) => value.length), 4);
  return 24 + LETTER * longest;
}

/** A line of one point is none, so that the point is drawn. */
function isSinglePoint(chart: UPlot, line: number): boolean {
  let points = 0;
  for (const value of chart.data[line] ?? []) {
    if (value != null && ++points > 1) {
      return false;
    }
  }
  return true;
}

/** The canvas on the colour of the page. */
function raster(chart: UPlot | null, { surface }: Palette): Promise<Blob | null> {
  if (chart === null) {
    return Promise.resolve(null);
  }
  const canvas = document.createElement("canvas");
  canvas.width = chart.ctx.canvas.width;
  canvas.height = chart.ctx.canvas.height;
  const context = canvas.getContext("2d");
  if (context) {
    context.fillStyle = surface;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(chart.ctx.canvas, 0, 0);
  }
  return new Promise((resolve) => {
    canvas.toBlob(resolve, "image/png");
  });
}
