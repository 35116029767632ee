import { describe, expect, it } from "vitest";

import { lineSvg } from "./line-svg";
import type { Palette } from "./palette";
import type { Series } from "./series";

const PALETTE = { surface: "#fff", text: "#000", dimmed: "#888", grid: "#ccc" } as Palette;
const AXES = { xLabel: "step", yLabel: "loss" };
const LINE: Series = { key: "a", label: "a < b", color: "red", x: [0, 50, 100], y: [4, 2, 1] };

describe("the lines as vectors", () => {
  it("bear their title, axes and legend, harmless in a document", () => {
    const svg = lineSvg("Loss & more", [LINE], AXES, PALETTE);

    expect(svg).toContain("Loss &amp; more");
    expect(svg).toContain("a &lt; b");
    expect(svg).toContain(">step<");
    expect(svg).toContain(">loss<");
    expect(places(svg)).toBe(3);
  });

  it("are those in view alone", () => {
    expect(places(lineSvg("Loss", [LINE], AXES, PALETTE, [40, 100]))).toBe(2);
  });

  it("tell raw values by no line of the legend", () => {
    const svg = lineSvg("Loss", [LINE, { ...LINE, key: "a raw", label: "raw", rawOf: "a" }], AXES, PALETTE);

    expect(svg).not.toContain(">raw<");
    expect(svg.match(/<polyline/g)).toHaveLength(2);
  });
});

/** Of how many points the first line is. */
function places(svg: string): number {
  return (/<polyline points="([^"]*)"/.exec(svg)?.[1] ?? "").split(" ").length;
}
