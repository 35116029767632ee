import { describe, expect, it } from "vitest";

import { headingAnchors, type Node } from "./headings";

function anchors(...headings: string[]): unknown[] {
  const properties = headings.map((): Record<string, unknown> => ({}));
  const children = headings.map((value, index): Node => ({
    type: "element",
    tagName: "h2",
    properties: properties[index] ?? {},
    children: [{ type: "text", value }],
  }));
  headingAnchors()({ type: "root", children });
  return properties.map(({ id }) => id);
}

describe("anchors of headings", () => {
  it("are the words in lower case with hyphens, without punctuation", () => {
    expect(anchors("What is kept, and how?", "Virtual runs: `execution: virtual`", "Über-lang")).toEqual([
      "what-is-kept-and-how",
      "virtual-runs-execution-virtual",
      "über-lang",
    ]);
  });

  it("are numbered if headings are equal", () => {
    expect(anchors("Limits", "Sources", "Limits")).toEqual(["limits", "sources", "limits-1"]);
  });
});
