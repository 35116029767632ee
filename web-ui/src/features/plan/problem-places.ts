import { isCollection, isMap, isNode, isScalar, isSeq, type Pair } from "yaml";

import type { Violation } from "@/api/problem";

import type { DefinitionText } from "./definition-text";

/** A problem with its place in the text. */
export interface PlacedProblem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

interface Place {
  readonly from: number;
  readonly to: number;
}

/** Returns the errors that make the text unreadable. */
export function misreadings({ contents, errors }: DefinitionText): readonly PlacedProblem[] {
  if (errors.length > 0) {
    return errors.map(({ pos: [from, to], message }) => ({ from, to, message }));
  }
  return contents === null || isMap(contents)
    ? []
    : [{ from: 0, to: contents.range[1], message: "A definition is an object: fields with their values." }];
}

export function placed(document: DefinitionText, violations: readonly Violation[]): readonly PlacedProblem[] {
  return violations.map(({ pointer, rule }) => ({
    ...placeOf(document, pointer),
    message: pointer === "" ? rule : `${pointer} ${rule}`,
  }));
}

/**
 * Returns the place of a JSON pointer: the value, or the field name if the value is an object or a list. A missing
 * value is shown at its nearest existing ancestor.
 */
export function placeOf(document: DefinitionText, pointer: string): Place {
  let node: unknown = document.contents;
  let place: Place = { from: 0, to: 0 };
  for (const name of namesOf(pointer)) {
    if (isMap(node)) {
      const pair: Pair | undefined = node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
      if (pair === undefined) {
        break;
      }
      place = (isCollection(pair.value) ? rangeOf(pair.key) : (rangeOf(pair.value) ?? rangeOf(pair.key))) ?? place;
      node = pair.value;
    } else if (isSeq(node)) {
      const item: unknown = node.items[Number(name)];
      place = rangeOf(item) ?? place;
      node = item;
    } else {
      break;
    }
  }
  return place;
}

export function namesOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** An empty value has no place. */
function rangeOf(node: unknown): Place | undefined {
  if (!isNode(node) || node.range == null) {
    return undefined;
  }
  const [from, to] = node.range;
  return to > from ? { from, to } : undefined;
}
