import "uplot/dist/uPlot.min.css";

import { useCallback, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from "react";
import UPlot from "uplot";

import { compact } from "@/shared/format";

import { ExportMenu } from "./export-menu";
import { Legend, PLACE, type Cells } from "./legend";
import classes from "./line-chart.module.css";
import { columns, joined, options, owners, placeOf, placeText, valueAt } from "./line-options";
import { lineSvg } from "./line-svg";
import { usePalette } from "./palette";
import { labelOver } from "./ranges";
import { rasterized } from "./raster";
import { drawable, tableOf, type Axes, type Series } from "./series";
import { hasLine, SinglePoints } from "./single-points";
import { zoomed, type Window, type ZoomStep } from "./window";
import { ZoomButtons } from "./zoom-buttons";

/** Outside of the chart. */
const NOWHERE = -10;

interface LineChartProps extends Axes {
  /** Name of the chart, also for screen readers. */
  readonly title: string;
  readonly series: readonly Series[];
  readonly height?: number;
  /** Charts with the same key show the same position of their axes. */
  readonly linked?: string;
}

/** Draws lines over a common axis; single points, which make no line, are shown as numbers. */
export function LineChart(props: LineChartProps): ReactNode {
  return hasLine(props.series) ? <Lines {...props} /> : <SinglePoints {...props} />;
}

/**
 * Lines over a common axis, on a canvas. Dragging or the buttons zoom, a double click shows all. The pointer or arrow
 * keys move along the axis, and the legend shows the values there.
 */
function Lines({ title, series, height = 260, linked, ...axes }: LineChartProps): ReactNode {
  const { xLabel, yLabel, isLogX = false, isLogY = false } = axes;
  const palette = usePalette();
  const frame = useRef<HTMLDivElement>(null);
  const slider = useRef<HTMLInputElement>(null);
  const chart = useRef<UPlot | null>(null);
  const cells = useRef<Cells>(new Map());
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const drawn = useMemo(
    () => series.map((each) => drawable(each, { xLabel, yLabel, isLogX, isLogY })),
    [series, xLabel, yLabel, isLogX, isLogY],
  );
  const data = useMemo(() => joined(drawn), [drawn]);
  const yText = useMemo(
    () =>
      labelOver(
        yLabel,
        drawn.flatMap(({ y }) => y.filter((value) => value !== null)),
      ),
    [drawn, yLabel],
  );
  // The chart is rebuilt when this changes; new points do not change it.
  const shape = JSON.stringify(drawn.map((each) => ({ ...each, x: 0, y: 0, band: each.band !== undefined })));
  const latest = useRef({ drawn, data });

  /** Shows the values at the cursor without rendering the page. */
  const tell = useCallback(
    (moved: UPlot) => {
      const place = placeText(moved, { xLabel, yLabel });
      const own = columns(latest.current.drawn);
      const values = latest.current.drawn.flatMap(({ key, label, rawOf }, line) => {
        const column = own[line];
        if (rawOf !== undefined || column === undefined) {
          return [];
        }
        const value = compact(valueAt(moved, column, placeOf(moved)));
        write(cells.current.get(key), value);
        return [`${label}: ${value}`];
      });
      write(cells.current.get(PLACE), moved.data[0].length === 0 ? "" : place);
      if (slider.current !== null) {
        const [first, last] = inView(moved) ?? [0, 0];
        slider.current.min = String(moved.valToIdx(first));
        slider.current.max = String(moved.valToIdx(last));
        slider.current.value = String(placeOf(moved));
        slider.current.setAttribute("aria-valuetext", [place, ...values].join("; "));
      }
    },
    [xLabel, yLabel],
  );

  // Layout effects run before the slider can receive a key, so its chart exists then.
  useLayoutEffect(() => {
    latest.current = { drawn, data };
    if (chart.current) {
      renew(chart.current, data);
    }
  }, [data, drawn]);

  useLayoutEffect(() => {
    const place = frame.current;
    if (place === null) {
      return;
    }
    const width = (): number => Math.max(160, place.clientWidth);
    const look = { palette, linked, width: width(), height, onCursor: tell };
    const made = new UPlot(
      options(latest.current.drawn, { xLabel, yLabel: yText, isLogX, isLogY }, look),
      latest.current.data,
      place,
    );
    chart.current = made;
    tell(made);
    const watch = new ResizeObserver(() => {
      made.setSize({ width: width(), height });
    });
    watch.observe(place);
    return () => {
      watch.disconnect();
      made.destroy();
      chart.current = null;
    };
  }, [shape, palette, linked, height, xLabel, yText, isLogX, isLogY, tell]);

  // Runs after the effect that builds the chart, whenever it builds another one.
  useLayoutEffect(() => {
    owners(latest.current.drawn).forEach((key, column) => {
      if (column > 0 && chart.current?.series[column]?.show === hidden.has(key)) {
        chart.current.setSeries(column, { show: !hidden.has(key) });
      }
    });
  }, [hidden, shape, palette, linked, height, xLabel, yText, isLogX, isLogY]);

  function zoom(step: ZoomStep): void {
    const [view, whole] = [inView(chart.current), extentOf(chart.current)];
    if (chart.current === null || view === undefined || whole === undefined) {
      return;
    }
    const [min, max] = zoomed(view, whole, step, isLogX);
    for (const plot of together(chart.current, linked)) {
      if (step === "all") {
        plot.setData(plot.data);
      } else {
        plot.setScale("x", { min, max });
      }
    }
  }

  function moveTo(place: number): void {
    const at = chart.current?.data[0][place];
    for (const plot of together(chart.current, linked)) {
      plot.setCursor({ left: at === undefined ? NOWHERE : plot.valToPos(at, "x"), top: plot.height / 2 });
    }
  }

  const seen = drawn.filter(({ key, rawOf }) => !hidden.has(rawOf ?? key));
  const svg = (): string => lineSvg(title, seen, axes, palette, inView(chart.current));
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <span className={classes.title}>{title}</span>
        <span className={classes.tools}>
          <ZoomButtons of={title} onZoom={zoom} />
        </span>
        <ExportMenu name={title} picture={{ png: () => rasterized(svg()), svg }} table={() => tableOf(drawn, axes)} />
      </figcaption>
      <input
        ref={slider}
        className={classes.slider}
        type="range"
        min={0}
        defaultValue={0}
        aria-label={`Position along ${title}`}
        onChange={({ currentTarget }) => {
          moveTo(Number(currentTarget.value));
        }}
        onBlur={() => {
          moveTo(NOWHERE);
        }}
      />
      <div ref={frame} className={classes.plot} role="img" aria-label={`${title} over ${xLabel}`} />
      <Legend
        series={drawn}
        hidden={hidden}
        cells={cells}
        onToggle={(key) => {
          setHidden((before) => {
            const after = new Set(before);
            return after.delete(key) ? after : after.add(key);
          });
        }}
      />
    </figure>
  );
}

/** Returns the chart with all charts that show the same position. */
function together(chart: UPlot | null, linked: string | undefined): readonly UPlot[] {
  return chart === null ? [] : linked === undefined ? [chart] : UPlot.sync(linked).plots;
}

function write(cell: HTMLElement | undefined, text: string): void {
  if (cell) {
    cell.textContent = text;
  }
}

/** Adds new points and keeps the range that a user has zoomed to. */
function renew(chart: UPlot, data: UPlot.AlignedData): void {
  const [view, whole] = [inView(chart), extentOf(chart)];
  if (view !== undefined && whole !== undefined && (view[0] > whole[0] || view[1] < whole[1])) {
    chart.batch(() => {
      chart.setData(data, false);
      chart.setScale("x", { min: view[0], max: view[1] });
    });
  } else {
    chart.setData(data);
  }
}

function inView(chart: UPlot | null): Window | undefined {
  const { min, max } = chart?.scales.x ?? {};
  return min == null || max == null ? undefined : [min, max];
}

function extentOf(chart: UPlot | null): Window | undefined {
  const places = chart?.data[0] ?? [];
  const [first, last] = [places[0], places.at(-1)];
  return first === undefined || last === undefined ? undefined : [first, last];
}
