import { isMap, parseDocument, visit, type Document } from "yaml";

import { CURSOR, isObject, wordsOf, type DefinitionSchema, type Place, type Proposal } from "./definition-schema";
import { keyAbove, pathOf, type Path } from "./yaml-path";

export interface Proposals {
  /** Start of the word that a proposal replaces. */
  readonly from: number;
  readonly options: readonly Proposal[];
  /** Whether the options are field names, which a colon follows. */
  readonly areFields: boolean;
}

const MATRIX = "matrix";

/** Returns proposals for a position of the text, from the schema of definitions. */
export function proposalsAt(schema: DefinitionSchema, text: string, position: number): Proposals | null {
  const from = position - (/[\w.-]*$/.exec(text.slice(0, position))?.[0].length ?? 0);
  const marked = `${text.slice(0, position)}${CURSOR}${text.slice(position)}`;
  const document = parseDocument(marked, { prettyErrors: false });
  const cursor = find(document);
  if (cursor === null) {
    return null;
  }
  const { names, isKey, value } = cursor;
  const newLine = isKey || names.length === 0 || marked.slice(value.keyEnd, value.start).includes("\n");
  if (names.length === 1 && names[0] === MATRIX) {
    return newLine ? some(from, untaken(schema.paths(), document), true) : null;
  }
  const place = placeAt(schema, document, names);
  if (place !== null && isObject(place) && newLine) {
    const node: unknown = names.length === 0 ? document.contents : document.getIn(names, true);
    return some(from, schema.fieldsOf(place, node), true);
  }
  return isKey || place === null ? null : some(from, wordsOf(place), false);
}

function some(from: number, options: readonly Proposal[], areFields: boolean): Proposals | null {
  return options.length === 0 ? null : { from, options, areFields };
}

function untaken(paths: readonly Proposal[], document: Document): readonly Proposal[] {
  const matrix: unknown = document.get(MATRIX, true);
  return paths.filter(({ label }) => !isMap(matrix) || !matrix.has(label));
}

/** Returns the place of a path, by the kinds that the text chooses; null if definitions have none. */
export function placeAt(schema: DefinitionSchema, document: Document, names: Path): Place | null {
  const [first, path, index] = names;
  const swept = first === MATRIX && typeof path === "string" && typeof index === "number";
  const start = swept ? 3 : 0;
  return names.slice(start).reduce<Place | null>(
    (place, name, depth) => {
      const above = names.slice(0, start + depth);
      const node: unknown = above.length === 0 ? document.contents : document.getIn(above, true);
      return place && schema.follow(place, name, node);
    },
    swept ? schema.at(path) : schema.root,
  );
}

interface Cursor {
  /** Path of the object that gets a field, or of the value itself. */
  readonly names: Path;
  readonly isKey: boolean;
  readonly value: { readonly keyEnd: number; readonly start: number };
}

function find(document: Document): Cursor | null {
  let found: Cursor | null = null;
  visit(document, {
    Scalar(key, node, ancestors) {
      if (typeof node.value !== "string" || !node.value.includes(CURSOR)) {
        return undefined;
      }
      const keyEnd = keyAbove(ancestors, node)?.range?.[1] ?? 0;
      found = {
        names: pathOf(ancestors, node),
        isKey: key === "key",
        value: { keyEnd, start: node.range?.[0] ?? keyEnd },
      };
      return visit.BREAK;
    },
  });
  return found;
}
