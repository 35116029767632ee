import { isMap, isPair, isScalar, parseDocument, visit, type Document } from "yaml";

import { fieldsOf, follow, isObject, wordsOf, type Description, type Schema } from "./definition-schema";

export interface Proposals {
  /** Start of the word that a proposal replaces. */
  readonly from: number;
  readonly labels: readonly string[];
  /** Whether the labels are field names, which a colon follows. */
  readonly areFields: boolean;
}

/** Marks the cursor; no definition contains this character. */
const CURSOR = "\uE000";

/** Returns proposals for a position of the text, from the service's description of definitions. */
export function proposalsAt(description: Description, text: string, position: number): Proposals | null {
  const from = position - (/[\w-]*$/.exec(text.slice(0, position))?.[0].length ?? 0);
  const marked = `${text.slice(0, position)}${CURSOR}${text.slice(position)}`;
  const document = parseDocument(marked, { prettyErrors: false });
  const place = find(document);
  if (place === null) {
    return null;
  }
  const { names, isKey, value } = place;
  const schema = schemaAt(description, document, names);
  const newLine = isKey || names.length === 0 || marked.slice(value.keyEnd, value.start).includes("\n");
  if (schema !== undefined && isObject(description, schema) && newLine) {
    const node: unknown = names.length === 0 ? document.contents : document.getIn(names, true);
    return some(from, fieldsOf(description, schema, node), true);
  }
  return isKey || schema === undefined ? null : some(from, wordsOf(description, schema), false);
}

function some(from: number, labels: readonly string[], areFields: boolean): Proposals | null {
  return labels.length === 0 ? null : { from, labels, areFields };
}

interface Cursor {
  /** Path of the object that gets a field, or of the value itself. */
  readonly names: readonly (string | number)[];
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
      const names: (string | number)[] = [];
      let keyEnd = 0;
      ancestors.forEach((ancestor, depth) => {
        const next: unknown = ancestors[depth + 1] ?? node;
        if (isPair(ancestor) && !(key === "key" && next === node)) {
          names.push(isScalar(ancestor.key) ? String(ancestor.key.value) : "");
          keyEnd = (isScalar(ancestor.key) ? ancestor.key.range?.[1] : undefined) ?? keyEnd;
        } else if ("items" in ancestor && !isMap(ancestor)) {
          names.push(ancestor.items.indexOf(next));
        }
      });
      found = { names, isKey: key === "key", value: { keyEnd, start: node.range?.[0] ?? keyEnd } };
      return visit.BREAK;
    },
  });
  return found;
}

function schemaAt(
  description: Description,
  document: Document,
  names: readonly (string | number)[],
): Schema | undefined {
  let schema: Schema | undefined = description.root;
  names.forEach((name, depth) => {
    const node: unknown = depth === 0 ? document.contents : document.getIn(names.slice(0, depth), true);
    schema = schema && follow(description, schema, name, node);
  });
  return schema;
}
