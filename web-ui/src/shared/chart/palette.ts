import { useComputedColorScheme } from "@mantine/core";
import { useMemo } from "react";

export interface Palette {
  readonly text: string;
  readonly dimmed: string;
  readonly grid: string;
  readonly surface: string;
  /** Series colors that color-blind readers can tell apart (after Okabe and Ito), followed by darker variants. */
  readonly series: readonly string[];
  readonly phases: Readonly<Record<Phase, string>>;
}

export const PHASES = ["compute", "encode", "transfer", "wait", "apply"] as const;
export type Phase = (typeof PHASES)[number];

const LIGHT: Palette = {
  text: "#212529",
  dimmed: "#495057",
  grid: "#e9ecef",
  surface: "#ffffff",
  series: [
    "#3b5bdb",
    "#d9480f",
    "#087f5b",
    "#ae3ec9",
    "#b08800",
    "#1098ad",
    "#c2255c",
    "#5c6b1f",
    "#495057",
    "#862e9c",
  ],
  phases: { compute: "#4263eb", encode: "#7950f2", transfer: "#fd7e14", wait: "#ced4da", apply: "#12b886" },
};

const DARK: Palette = {
  text: "#dee2e6",
  dimmed: "#b8b8b8",
  grid: "#3b3b3b",
  surface: "#242424",
  series: [
    "#748ffc",
    "#ff922b",
    "#38d9a9",
    "#da77f2",
    "#ffd43b",
    "#3bc9db",
    "#f783ac",
    "#c0eb75",
    "#adb5bd",
    "#b197fc",
  ],
  phases: { compute: "#5c7cfa", encode: "#9775fa", transfer: "#fd7e14", wait: "#5f5f5f", apply: "#20c997" },
};

/** Colors for canvases, which style sheets do not reach. */
export function usePalette(): Palette {
  const scheme = useComputedColorScheme("light");
  return useMemo(() => (scheme === "dark" ? DARK : LIGHT), [scheme]);
}

export function seriesColor(palette: Palette, index: number): string {
  return palette.series[index % palette.series.length] ?? palette.text;
}
