import { describe, expect, it } from "vitest";

import { joined, options } from "./line-options";
import type { Palette } from "./palette";
import type { Series } from "./series";

const LINE: Series = {
  key: "load",
  label: "Load",
  color: "#000000",
  x: [-10, -6, -2],
  y: [8, null, 4],
  band: { low: [4, 2, 2], high: [9, 5, 5] },
};
const LOOK = { palette: {} as Palette, linked: undefined, width: 100, height: 100, onCursor: () => undefined };

function spans(series: Series): readonly unknown[] {
  const [, ...lines] = options([series], { xLabel: "hours", yLabel: "threads" }, LOOK).series;
  return lines.map(({ spanGaps }) => spanGaps);
}

describe("a line with gaps", () => {
  const gapped = { ...LINE, hasGaps: true };

  it("is interrupted where it has no value, and its band with it", () => {
    expect(spans(gapped)).toEqual([false, false, false]);
    expect(joined([gapped])).toEqual([
      [-10, -6, -2],
      [8, null, 4],
      [4, null, 2],
      [9, null, 5],
    ]);
  });
});

describe("a line without gaps", () => {
  it("spans missing values", () => {
    expect(spans(LINE)).toEqual([true, true, true]);
    expect(joined([LINE])[2]).toEqual([4, 2, 2]);
  });
});
