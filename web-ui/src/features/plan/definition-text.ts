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

/** A text that may be a definition. JSON is a subset of YAML. */
export type DefinitionText = Document.Parsed;

const FORMAT = { lineWidth: 0 };
/** The most characters of a list or object of plain values on one line. */
const SHORT = 72;

/** Keeps all digits of whole numbers: a seed may exceed the precision of a JavaScript number. */
export function read(text: string): DefinitionText {
  return parseDocument(text, { intAsBigInt: true, prettyErrors: false });
}

export function isReadable(document: DefinitionText): boolean {
  return document.errors.length === 0 && isMap(document.contents);
}

/** Writes a definition with short plain lists and objects on one line. */
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
  return document.toString(FORMAT);
}

/** Returns the plain value of a top-level field; undefined if it has none. */
export function field(document: DefinitionText, name: string): unknown {
  const node: unknown = isMap(document.contents) ? document.contents.get(name, true) : undefined;
  return isNode(node) ? node.toJS(document) : undefined;
}

/** Sets a top-level field of the text, or removes it if the value is undefined. */
export function withField(text: string, name: string, value: unknown): string {
  const document = read(text);
  if (value === undefined) {
    document.delete(name);
  } else {
    document.set(name, value);
  }
  return document.toString(FORMAT);
}

/** Returns the request for a plan, with the definition unchanged to the digit. */
export function planRequest(text: string, target: number | undefined): string {
  const request = new Document({});
  request.set("definition", read(text).contents);
  if (target !== undefined) {
    request.set("target", target);
  }
  return request.toString(FORMAT);
}

/**
 * Applies the settings of a ranked entry to the text, each as path=value. A path that is set is no longer swept by the
 * matrix. Plans are of the first combination, so other swept fields inside of it keep their first value.
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
  return document.toString(FORMAT);
}

function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}.`);
}

/** Sets a value; expands a short form on the path, such as `partitioning: functional`. */
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
