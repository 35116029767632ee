/** A node of a document's tree. */
export interface Node {
  readonly type: string;
  readonly tagName?: string;
  readonly value?: string;
  readonly children?: readonly Node[];
  readonly properties?: Record<string, unknown>;
}

/** Gives every heading the anchor by which pages link to it: that of GitHub, as the pages are read there, too. */
export function headingAnchors(): (tree: Node) => void {
  return (tree) => {
    const taken = new Map<string, number>();
    for (const { tagName, properties, children = [] } of tree.children ?? []) {
      if (tagName !== undefined && /^h[1-6]$/.test(tagName) && properties !== undefined) {
        const anchor = anchorOf(children.map(plainText).join(""));
        const count = taken.get(anchor) ?? 0;
        taken.set(anchor, count + 1);
        properties.id = count === 0 ? anchor : `${anchor}-${count.toString()}`;
      }
    }
  };
}

export function plainText({ value, children = [] }: Node): string {
  return value ?? children.map(plainText).join("");
}

function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}
