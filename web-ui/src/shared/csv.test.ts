import { describe, expect, it } from "vitest";

import { toCsv } from "./csv";

describe("a table as CSV", () => {
  it("has a line for each row, and empty cells for missing values", () => {
    expect(
      toCsv([
        ["run", "loss", "done"],
        ["a", 0.5, true],
        ["b", null, undefined],
      ]),
    ).toBe("run,loss,done\na,0.5,true\nb,,\n");
  });

  it("quotes characters that would break a row", () => {
    expect(toCsv([['say "a"', "a, b", "two\nlines"]])).toBe('"say ""a""","a, b","two\nlines"\n');
  });

  it("escapes text that a spreadsheet would take for a formula, and leaves numbers unchanged", () => {
    expect(toCsv([["=1+1", "@a", -1]])).toBe("'=1+1,'@a,-1\n");
  });
});
