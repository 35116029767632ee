// Only the parts of ECharts that the dashboard uses.
import {
  BarChart,
  BoxplotChart,
  CustomChart,
  GraphChart,
  HeatmapChart,
  LineChart,
  ParallelChart,
  ScatterChart,
} from "echarts/charts";
import {
  AriaComponent,
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  ParallelComponent,
  TooltipComponent,
  VisualMapComponent,
} from "echarts/components";
import { init, use as include, type EChartsType } from "echarts/core";
import { CanvasRenderer, SVGRenderer } from "echarts/renderers";

include([
  ...[BarChart, BoxplotChart, CustomChart, GraphChart, HeatmapChart, LineChart, ParallelChart, ScatterChart],
  ...[AriaComponent, DataZoomComponent, GridComponent, LegendComponent, MarkLineComponent, ParallelComponent],
  ...[TooltipComponent, VisualMapComponent, CanvasRenderer, SVGRenderer],
]);

export { init, type EChartsType };
