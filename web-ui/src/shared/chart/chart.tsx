import type { EChartsOption } from "echarts";
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";

import type { Row } from "@/shared/csv";
import { Notice } from "@/shared/notice";

import type { EChartsType, init } from "./echarts";
import { ExportMenu } from "./export-menu";
import classes from "./line-chart.module.css";
import { usePalette, type Palette } from "./palette";
import { pngOf } from "./raster";

interface Drawing {
  readonly chart: EChartsType;
  readonly init: typeof init;
}

interface ChartProps {
  readonly title: string;
  /** Describes the chart to screen readers. */
  readonly spoken: string;
  readonly option: (palette: Palette) => EChartsOption;
  /** The data of the chart, for export. */
  readonly table: () => readonly Row[];
  readonly height?: number;
  /** Called with the name and position of a clicked item. */
  readonly onClick?: (clicked: {
    readonly name: string;
    readonly dataIndex: number;
    readonly seriesIndex: number;
  }) => void;
  /** Called with the range that was brushed on the parallel axis with this id, or with none if it was cleared. */
  readonly onBrush?: (axis: string, interval: readonly [number, number] | undefined) => void;
}

interface Brushed {
  readonly parallelAxisId: string;
  readonly intervals: readonly (readonly [number, number])[];
}

/** Draws an ECharts chart; ECharts is loaded for the first one. `option` must keep its identity between renderings. */
export function Chart({ title, spoken, option, table, height = 300, onClick, onBrush }: ChartProps): ReactNode {
  const palette = usePalette();
  const frame = useRef<HTMLDivElement>(null);
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const drawn = useMemo(() => styled(option(palette), palette), [option, palette]);

  useEffect(() => {
    const place = frame.current;
    if (place === null) {
      return;
    }
    let made: EChartsType | undefined;
    let isGone = false;
    const watch = new ResizeObserver(() => made?.resize());
    import("./echarts")
      .then(({ init }) => {
        if (!isGone) {
          made = init(place);
          watch.observe(place);
          setDrawing({ chart: made, init });
        }
      })
      .catch((reason: unknown) => {
        setFailure(reason instanceof Error ? reason : new Error(String(reason)));
      });
    return () => {
      isGone = true;
      watch.disconnect();
      made?.dispose();
    };
  }, []);

  useEffect(() => {
    drawing?.chart.setOption(drawn, { notMerge: true });
  }, [drawing, drawn]);

  useEffect(() => {
    if (drawing === null || onClick === undefined) {
      return;
    }
    const { chart } = drawing;
    const onEvent = (event: unknown): void => {
      onClick(event as Parameters<typeof onClick>[0]);
    };
    chart.on("click", onEvent);
    return () => {
      if (!chart.isDisposed()) {
        chart.off("click", onEvent);
      }
    };
  }, [drawing, onClick]);

  useEffect(() => {
    if (drawing === null || onBrush === undefined) {
      return;
    }
    const { chart } = drawing;
    const onEvent = (event: unknown): void => {
      const { parallelAxisId, intervals } = event as Brushed;
      onBrush(parallelAxisId, intervals[0]);
    };
    chart.on("axisareaselected", onEvent);
    return () => {
      if (!chart.isDisposed()) {
        chart.off("axisareaselected", onEvent);
      }
    };
  }, [drawing, onBrush]);

  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        {title}
        {drawing && (
          <ExportMenu
            name={title}
            picture={{ png: () => raster(drawing, palette), svg: () => vectors(drawing, drawn) }}
            table={table}
          />
        )}
      </figcaption>
      {failure && <Notice title="The chart could not be drawn" error={failure} />}
      <div ref={frame} role="img" aria-label={`${title}. ${spoken}`} style={{ height }} />
    </figure>
  );
}

function styled(option: EChartsOption, palette: Palette): EChartsOption {
  return {
    animation: false,
    color: [...palette.series],
    textStyle: { color: palette.text, fontFamily: "inherit" },
    ...option,
  };
}

function raster({ chart }: Drawing, { surface }: Palette): Promise<Blob> {
  return pngOf(chart.renderToCanvas({ pixelRatio: 2, backgroundColor: surface }));
}

/** Renders the same chart as SVG. */
function vectors({ chart, init }: Drawing, option: EChartsOption): string {
  const copy = init(null, null, { renderer: "svg", ssr: true, width: chart.getWidth(), height: chart.getHeight() });
  copy.setOption(option);
  const text = copy.renderToSVGString();
  copy.dispose();
  return text;
}
