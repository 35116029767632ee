import { compact } from "@/shared/format";

import { boundsOf } from "./metric-bounds";
import type { Palette } from "./palette";
import { labelOver, logRangeOf, rangeOf, tickStep, tickText, type Range } from "./ranges";
import type { Axes, Series } from "./series";
import type { Window } from "./window";

const WIDTH = 900;
const HEIGHT = 480;
const LEFT = 80;
const RIGHT = 20;
const TOP = 40;
const BOTTOM = 60;
const LEGEND_LINE = 18;
const ROUNDING = 1e-9;

interface Scale {
  readonly place: (value: number) => number;
  readonly ticks: readonly number[];
}

/**
 * Renders the lines as an SVG for publications, with text and a legend below.
 *
 * @param view range of the axis to draw; all of it if omitted
 */
export function lineSvg(
  title: string,
  series: readonly Series[],
  axes: Axes,
  palette: Palette,
  view: Window = [-Infinity, Infinity],
): string {
  const labeled = series.filter(({ rawOf }) => rawOf === undefined);
  const inView = series.map((each) => within(each, view));
  const xs = extent(inView.flatMap(({ x }) => x));
  const values = inView.flatMap(({ y, band }) => [
    ...y.filter((value) => value !== null),
    ...(band?.low ?? []),
    ...(band?.high ?? []),
  ]);
  const isZoomed = inView.some(({ x }, index) => x.length < (series[index]?.x.length ?? 0));
  const bounds = boundsOf(axes.yLabel);
  const ys = axes.isLogY ? logRangeOf(values, bounds) : rangeOf(values, bounds, isZoomed);
  const x = scale(xs, [LEFT, WIDTH - RIGHT], axes.isLogX);
  const y = scale(ys, [HEIGHT - BOTTOM, TOP], axes.isLogY);
  const height = HEIGHT + labeled.length * LEGEND_LINE;
  const content = [
    `<rect width="${n(WIDTH)}" height="${n(height)}" fill="${palette.surface}"/>`,
    label(WIDTH / 2, 22, title, "middle", palette.text, 15),
    ...x.ticks.map(
      (tick) =>
        line(x.place(tick), TOP, x.place(tick), HEIGHT - BOTTOM, palette.grid) +
        label(
          x.place(tick),
          HEIGHT - BOTTOM + 18,
          axes.isLogX ? compact(tick) : tickText(tick, xs),
          "middle",
          palette.dimmed,
        ),
    ),
    ...y.ticks.map(
      (tick) =>
        line(LEFT, y.place(tick), WIDTH - RIGHT, y.place(tick), palette.grid) +
        label(LEFT - 8, y.place(tick) + 4, axes.isLogY ? compact(tick) : tickText(tick, ys), "end", palette.dimmed),
    ),
    label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 18, axes.xLabel, "middle", palette.text),
    `<g transform="translate(18 ${n((TOP + HEIGHT - BOTTOM) / 2)}) rotate(-90)">${label(0, 0, labelOver(axes.yLabel, values), "middle", palette.text)}</g>`,
    ...inView.flatMap(pieces).flatMap((each) => [area(each, x, y), stroke(each, x, y)]),
    ...labeled.map(
      ({ label: name, color }, index) =>
        `<rect x="${n(LEFT)}" y="${n(HEIGHT + index * LEGEND_LINE - 9)}" width="14" height="4" fill="${color}"/>` +
        label(LEFT + 22, HEIGHT + index * LEGEND_LINE - 3, name, "start", palette.text),
    ),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${n(WIDTH)}" height="${n(height)}" viewBox="0 0 ${n(WIDTH)} ${n(height)}" font-family="sans-serif">${content.join("")}</svg>`;
}

/** Returns the points in view. */
function within(series: Series, [from, to]: Window): Series {
  const kept = series.x.flatMap((x, index) => (x >= from && x <= to ? [index] : []));
  const pick = <Value>(values: readonly Value[]): Value[] => kept.map((index) => values[index] as Value);
  const { x, y, band } = series;
  return { ...series, x: pick(x), y: pick(y), ...(band && { band: { low: pick(band.low), high: pick(band.high) } }) };
}

/** Range of the positions, which has no space at its ends. */
function extent(values: readonly number[]): Range {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low > high
    ? [0, 1]
    : low === high
      ? [low - Math.abs(low || 1) / 2, high + Math.abs(high || 1) / 2]
      : [low, high];
}

function scale([low, high]: Range, [from, to]: Range, isLog = false): Scale {
  const of = isLog ? Math.log10 : (value: number) => value;
  const first = of(isLog ? Math.max(low, Number.MIN_VALUE) : low);
  const last = of(high);
  return {
    place: (value) => from + ((of(value) - first) / (last - first || 1)) * (to - from),
    ticks: isLog ? decades(first, last) : evenly([low, high]),
  };
}

function decades(first: number, last: number): number[] {
  const ticks: number[] = [];
  for (let power = Math.ceil(first); power <= last; power++) {
    ticks.push(10 ** power);
  }
  return ticks;
}

function evenly([low, high]: Range): number[] {
  const step = tickStep([low, high]);
  const ticks: number[] = [];
  // An end that is a tick except for rounding is one; the sum with 0 is never -0.
  for (let index = Math.ceil(low / step - ROUNDING) + 0; index <= high / step + ROUNDING; index++) {
    ticks.push(index * step);
  }
  return ticks;
}

/** Returns the pieces of a line between its gaps. */
function pieces(series: Series): readonly Series[] {
  const { x, y, band, hasGaps = false } = series;
  if (!hasGaps) {
    return [series];
  }
  const ends = [...y.flatMap((value, index) => (value === null ? [index] : [])), y.length];
  return ends.map((end, piece) => {
    const begin = (ends[piece - 1] ?? -1) + 1;
    const cut = <Value>(values: readonly Value[]): readonly Value[] => values.slice(begin, end);
    return { ...series, x: cut(x), y: cut(y), ...(band && { band: { low: cut(band.low), high: cut(band.high) } }) };
  });
}

function stroke({ x: xs, y: ys, color, rawOf, isDashed }: Series, x: Scale, y: Scale): string {
  const points = xs.flatMap((at, index) => {
    const value = ys[index] ?? null;
    return value === null ? [] : [`${n(x.place(at))},${n(y.place(value))}`];
  });
  return `<polyline points="${points.join(" ")}" fill="none" stroke="${color}" stroke-width="1.75" stroke-opacity="${rawOf === undefined ? "1" : "0.25"}"${isDashed ? ' stroke-dasharray="6 4"' : ""}/>`;
}

function area({ x: xs, band, color }: Series, x: Scale, y: Scale): string {
  if (!band) {
    return "";
  }
  const upper = xs.map((at, index) => `${n(x.place(at))},${n(y.place(band.high[index] ?? 0))}`);
  const lower = xs.map((at, index) => `${n(x.place(at))},${n(y.place(band.low[index] ?? 0))}`).reverse();
  return `<polygon points="${[...upper, ...lower].join(" ")}" fill="${color}" fill-opacity="0.18"/>`;
}

function line(x1: number, y1: number, x2: number, y2: number, color: string): string {
  return `<line x1="${n(x1)}" y1="${n(y1)}" x2="${n(x2)}" y2="${n(y2)}" stroke="${color}"/>`;
}

function label(x: number, y: number, text: string, anchor: string, color: string, size = 12): string {
  return `<text x="${n(x)}" y="${n(y)}" text-anchor="${anchor}" font-size="${n(size)}" fill="${color}">${escaped(text)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}
