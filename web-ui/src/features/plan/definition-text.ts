import {
  Document,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  parseDocument,
  stringify,
  visit,
  type Node,
} from "yaml";

/** A text that stands for a definition, or for none yet. JSON is YAML as well. */
export type DefinitionText = Document.Parsed;

const LOOK = { lineWidth: 0 };
/** Lists and objects of plain values are written in one line up to this many characters. */
const SHORT = 72;

/** Whole numbers keep all their digits: a seed may have more than a number of the browser. */
export function read(text: string): DefinitionText {
  return parseDocument(text, { intAsBigInt: true, prettyErrors: false });
}

export function isReadable(document: DefinitionText): boolean {
  return document.errors.length === 0 && isMap(document.contents);
}

/** Writes a definition as a person would: what is short and plain goes in one line. */
export function write(definition: unknown): string {
  const document = new Document(definition);
  visit(document, {
    Collection(_, node) {
      const items = (node.items as readonly unknown[]).map((item) => (isPair(item) ? item.value : item));
      if (items.every((item) => !isCollection(item)) && stringify(node).length <= SHORT && node !== document.contents) {
        node.flow = true;
      }
    },
  });
  return document.toString(LOOK);
}

/** The plain value of a field at the top; undefined where it is none. */
export function field(document: DefinitionText, name: string): unknown {
  const node: unknown = isMap(document.contents) ? document.contents.get(name, true) : undefined;
  return isNode(node) ? node.toJS(document) : undefined;
}

/** The text with another value of a field at the top, or without the field where the value is undefined. */
export function withField(text: string, name: string, value: unknown): string {
  const document = read(text);
  if (value === undefined) {
    document.delete(name);
  } else {
    document.set(name, value);
  }
  return document.toString(LOOK);
}

/** A plan is asked for with the definition as it is written, digit by digit. */
export function planRequest(text: string, target: number | undefined): string {
  const request = new Document({});
  request.set("definition", read(text).contents);
  if (target !== undefined) {
    request.set("target", target);
  }
  return request.toString(LOOK);
}

/**
 * The text with the settings of a plan's entry, each as path=value. A path that the matrix sweeps is swept no more:
 * plans are of the first combination, so the first value stands where the settings say nothing else.
 */
export function withSettings(text: string, settings: readonly string[]): string {
  if (settings.length === 0) {
    return text;
  }
  const document = read(text);
  const changes = settings.map((setting) => {
    const end = setting.indexOf("=");
    return { path: setting.slice(0, end), value: JSON.parse(setting.slice(end + 1)) as unknown };
  });
  const matrix: unknown = document.get("matrix");
  if (isMap(matrix)) {
    for (const { key } of [...matrix.items]) {
      const swept = isScalar(key) ? String(key.value) : "";
      if (changes.some(({ path }) => isWithin(swept, path) || isWithin(path, swept))) {
        set(document, swept, document.getIn(["matrix", swept, 0], true));
        matrix.delete(key);
      }
    }
    if (matrix.items.length === 0) {
      document.delete("matrix");
    }
  }
  for (const { path, value } of changes) {
    set(document, path, inOneLine(document, value));
  }
  return document.toString(LOOK);
}

function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}.`);
}

/** A short form on the way, as in `partitioning: functional`, is written out. */
function set(document: Document, dotted: string, value: unknown): void {
  const path = dotted.split(".");
  for (let depth = 1; depth < path.length; depth++) {
    const parent = path.slice(0, depth);
    const node: unknown = document.getIn(parent, true);
    if (!isMap(node)) {
      const kind = isScalar(node) && typeof node.value === "string" ? { kind: node.value } : {};
      document.setIn(parent, inOneLine(document, kind));
    }
  }
  document.setIn(path, value);
}

function inOneLine(document: Document, value: unknown): Node {
  return document.createNode(value, { flow: true });
}
