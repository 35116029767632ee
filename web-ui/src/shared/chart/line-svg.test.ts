import { describe, expect, it } from "vitest";

import { lineSvg } from "./line-svg";
import type { Palette } from "./palette";
import type { Series } from "./series";

const PALETTE = { surface: "#fff", text: "#000", dimmed: "#888", grid: "#ccc" } as Palette;
const AXES = { xLabel: "step", yLabel: "loss" };
const LINE: Series = { key: "a", label: "a < b", color: "red", x: [0, 50, 100], y: [4, 2, 1] };

describe("lines as SVG", () => {
  it("have a title, axes and a legend, with escaped text", () => {
    const svg = lineSvg("Loss & more", [LINE], AXES, PALETTE);

    expect(svg).toContain("Loss &amp; more");
    expect(svg).toContain("a &lt; b");
    expect(svg).toContain(">step<");
    expect(svg).toContain(">loss<");
    expect(places(svg)).toBe(3);
  });

  it("contain only points in view", () => {
    expect(places(lineSvg("Loss", [LINE], AXES, PALETTE, [40, 100]))).toBe(2);
  });

  it("have an axis that ends at the bounds of the metric, or at one unit if all values are 0", () => {
    const accuracy = { xLabel: "epoch", yLabel: "test/accuracy" };
    const texts = (y: number[]): readonly string[] =>
      [...lineSvg("Accuracy", [{ ...LINE, y }], accuracy, PALETTE).matchAll(/text-anchor="end"[^>]*>([^<]*)</g)].map(
        ([, text]) => text ?? "",
      );

    expect(texts([1, 1, 1])).toEqual(["0.9", "0.92", "0.94", "0.96", "0.98", "1"]);
    expect(texts([0, 0, 0])).toEqual(["0", "0.2", "0.4", "0.6", "0.8", "1"]);
    expect(lineSvg("Bytes", [{ ...LINE, y: [0, 0, 0] }], { ...accuracy, yLabel: "bytes" }, PALETTE)).toContain(
      ">bytes, all 0<",
    );
  });

  it("are interrupted at their gaps, with their bands, or span missing values", () => {
    const band = { low: [1, 1, 1, 1, 1], high: [5, 5, 5, 5, 5] };
    const line: Series = { ...LINE, x: [0, 1, 2, 3, 4], y: [4, 2, null, 1, 3], band };
    const counts = (svg: string): unknown => [/<polyline/g, /<polygon/g].map((tag) => svg.match(tag)?.length);

    expect(counts(lineSvg("Load", [line], AXES, PALETTE))).toEqual([1, 1]);
    expect(counts(lineSvg("Load", [{ ...line, hasGaps: true }], AXES, PALETTE))).toEqual([2, 2]);
  });

  it("have no legend entry for raw values", () => {
    const svg = lineSvg("Loss", [LINE, { ...LINE, key: "a raw", label: "raw", rawOf: "a" }], AXES, PALETTE);

    expect(svg).not.toContain(">raw<");
    expect(svg.match(/<polyline/g)).toHaveLength(2);
  });
});

/** Number of points of the first line. */
function places(svg: string): number {
  return (/<polyline points="([^"]*)"/.exec(svg)?.[1] ?? "").split(" ").length;
}
