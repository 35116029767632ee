import { describe, expect, it } from "vitest";

import { toCsv } from "./csv";

describe("a table as CSV", () => {
  it("has a line for each row, and nothing where there is no figure", () => {
    expect(
      toCsv([
        ["run", "loss", "done"],
        ["a", 0.5, true],
        ["b", null, undefined],
      ]),
    ).toBe("run,loss,done\na,0.5,true\nb,,\n");
  });

  it("quotes what would break a row", () => {
    expect(toCsv([['say "a"', "a, b", "two\nlines"]])).toBe('"say ""a""","a, b","two\nlines"\n');
  });

  it("begins no text in a way that a spreadsheet would compute, and leaves numbers as they are", () => {
    expect(toCsv([["=1+1", "@a", -1]])).toBe("'=1+1,'@a,-1\n");
  });
});
