import { isScalar, parseDocument, visit } from "yaml";

import type { DocLink } from "@/shared/doc-link";

import { placeAt } from "./completion";
import type { DefinitionSchema } from "./definition-schema";
import { docsOf } from "./doc-links";
import { helpOf } from "./field-help";
import { nameOf, pathOf, type Path } from "./yaml-path";

/** The help of a field whose name stands in the text. */
export interface KeyHelp {
  readonly from: number;
  readonly to: number;
  /** Dotted path of the field. */
  readonly path: string;
  readonly about: string;
  readonly docs: DocLink;
}

/** Returns the help of the field whose name is at a position of the text; null if no field is. */
export function keyHelpAt(schema: DefinitionSchema, text: string, position: number): KeyHelp | null {
  const document = parseDocument(text, { prettyErrors: false });
  let found: KeyHelp | null = null;
  visit(document, {
    Pair(_, pair, ancestors) {
      const { key } = pair;
      const [from, to] = (isScalar(key) ? key.range : null) ?? [0, -1];
      if (position < from || to < position) {
        return undefined;
      }
      const name = nameOf(key);
      const names: Path = [...pathOf(ancestors, pair), name];
      const isSwept = names.length === 2 && names[0] === "matrix";
      const place = isSwept ? schema.at(name) : placeAt(schema, document, names);
      const path = isSwept ? name : names.filter((part) => typeof part === "string").join(".");
      found = place && { from, to, path, about: helpOf(place), docs: docsOf(path) };
      return visit.BREAK;
    },
  });
  return found;
}
