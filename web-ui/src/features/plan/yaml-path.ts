import { isPair, isScalar, isSeq, type Scalar } from "yaml";

/** Path of a value: names of fields, and positions in lists. */
export type Path = readonly (string | number)[];

/** Returns the path of a node from those that contain it, outermost first; a key has the path of its object. */
export function pathOf(ancestors: readonly unknown[], node: unknown): Path {
  return ancestors.flatMap((ancestor, depth): Path => {
    const next = ancestors[depth + 1] ?? node;
    if (isPair(ancestor)) {
      return ancestor.key === next ? [] : [nameOf(ancestor.key)];
    }
    return isSeq(ancestor) ? [ancestor.items.indexOf(next)] : [];
  });
}

/** Returns the innermost key above a node, other than the node itself. */
export function keyAbove(ancestors: readonly unknown[], node: unknown): Scalar | undefined {
  return ancestors
    .filter(isPair)
    .map(({ key }) => key)
    .filter(isScalar)
    .findLast((key) => key !== node);
}

export function nameOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : "";
}
