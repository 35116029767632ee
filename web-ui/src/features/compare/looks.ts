import { seriesColor, type Palette } from "@/shared/chart/palette";
import type { Series } from "@/shared/chart/series";

/** The style of a line among many: colors in turn, dashed when they repeat. */
export function lookOf(palette: Palette, index: number): Pick<Series, "color" | "isDashed"> {
  const isDashed = Math.floor(index / palette.series.length) % 2 === 1;
  return { color: seriesColor(palette, index), ...(isDashed && { isDashed }) };
}
