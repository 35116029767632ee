import { isMap } from "yaml";

import { helpOf } from "./field-help";

/** The part of JSON Schema that the schema of definitions uses to describe fields. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** An alternative of a value: without references and alternatives of its own. */
export interface Alternative {
  readonly schema: Schema;
  /** The object that has the value as a field. */
  readonly owner: Schema | null;
}

/** A value of a definition: what it may be, and the description of its field. */
export interface Place {
  readonly field: Schema;
  readonly alternatives: readonly Alternative[];
}

/** A word, a path or the name of a field, with its description. */
export interface Proposal {
  readonly label: string;
  readonly about: string;
}

/** Marks the cursor; no definition contains this character. */
export const CURSOR = "\uE000";

const REFERENCE = "#/$defs/";
/** Levels of the paths in a parameter grid, as the service limits them. */
const MAX_DEPTH = 8;
/** Fields that a parameter grid does not vary. */
const FIXED = new Set(["apiVersion", "name", "matrix", "seeds", "priority"]);

/** The schema of definitions, by its places. */
export class DefinitionSchema {
  readonly root: Place;
  readonly #schema: Schema;

  constructor(schema: Schema) {
    this.#schema = schema;
    this.root = this.#place([{ schema, owner: null }]);
  }

  /** Returns the place of a field or of an element; null if there is none. */
  follow(place: Place, name: string | number, node: unknown): Place | null {
    const found = fitting(objectsOf(place), node).flatMap((owner) => {
      const { [name]: property } = owner.properties ?? {};
      const { additionalProperties: other } = owner;
      const schema = property ?? (typeof other === "object" ? other : undefined);
      return schema === undefined ? [] : [{ schema, owner }];
    });
    const items = place.alternatives.flatMap(({ schema: { items }, owner }) =>
      items === undefined ? [] : [{ schema: items, owner }],
    );
    const next = typeof name === "number" ? items : found;
    return next.length === 0 ? null : this.#place(next);
  }

  /** Returns the place of a dotted path, in any of the kinds; null if there is none. */
  at(path: string): Place | null {
    return path
      .split(".")
      .reduce<Place | null>((place, name) => place && this.follow(place, name, undefined), this.root);
  }

  /** Returns the fields that the node lacks; without a choice among several kinds, those that choose. */
  fieldsOf(place: Place, node: unknown): readonly Proposal[] {
    const objects = fitting(objectsOf(place), node);
    const names = objects.length === 1 ? namesOf(objects[0]) : choosing(objects);
    return names
      .filter((name) => !isMap(node) || !node.has(name))
      .map((name) => {
        const field = this.follow(place, name, node);
        return { label: name, about: field === null ? "" : helpOf(field) };
      });
  }

  /** Returns the dotted paths that a parameter grid may vary. */
  paths(): readonly Proposal[] {
    return this.#below(this.root, [])
      .filter(({ label }) => !FIXED.has(label))
      .toSorted((one, other) => one.label.localeCompare(other.label));
  }

  #below(place: Place, path: readonly string[]): readonly Proposal[] {
    const names = new Set(objectsOf(place).flatMap(namesOf));
    return path.length === MAX_DEPTH
      ? []
      : [...names].flatMap((name) => {
          const next = this.follow(place, name, undefined);
          const longer = [...path, name];
          return next === null ? [] : [{ label: longer.join("."), about: helpOf(next) }, ...this.#below(next, longer)];
        });
  }

  #place(found: readonly Alternative[]): Place {
    const fields = found.map(({ schema, owner }) => ({ schema: this.#resolve(schema), owner }));
    const [first] = fields;
    return { field: first?.schema ?? {}, alternatives: fields.flatMap((field) => this.#open(field)) };
  }

  #open({ schema, owner }: Alternative): readonly Alternative[] {
    const resolved = this.#resolve(schema);
    return resolved.oneOf === undefined
      ? [{ schema: resolved, owner }]
      : resolved.oneOf.flatMap((one) => this.#open({ schema: one, owner }));
  }

  /** Returns the schema that a reference names, with what stands beside the reference. */
  #resolve(schema: Schema): Schema {
    const { $ref, ...own } = schema;
    const target = $ref === undefined ? undefined : this.#schema.$defs?.[$ref.slice(REFERENCE.length)];
    return target === undefined ? schema : { ...this.#resolve(target), ...own };
  }
}

export function isObject(place: Place): boolean {
  return objectsOf(place).length > 0;
}

/** Returns the possible words of a value. */
export function wordsOf(place: Place): readonly Proposal[] {
  const words = new Map<string, Proposal>();
  const owners = new Set(place.alternatives.map(({ owner }) => owner));
  for (const { schema, owner } of place.alternatives) {
    for (const value of valuesOf(schema)) {
      const label = String(value);
      const kind = objectsOf(place).find(({ properties }) => properties?.kind?.const === value);
      const about = kind?.description ?? (owners.size > 1 ? owner?.description : undefined) ?? "";
      if (!words.has(label)) {
        words.set(label, { label, about });
      }
    }
  }
  return [...words.values()];
}

function valuesOf(schema: Schema): readonly unknown[] {
  if (schema.const !== undefined) {
    return [schema.const];
  }
  return schema.enum ?? (schema.type === "boolean" ? [true, false] : []);
}

function objectsOf({ alternatives }: Place): readonly Schema[] {
  return alternatives
    .map(({ schema }) => schema)
    .filter(({ properties, additionalProperties }) => properties ?? typeof additionalProperties === "object");
}

function namesOf(schema: Schema | undefined): readonly string[] {
  return Object.keys(schema?.properties ?? {});
}

/** Returns the objects that the node may be, by its fields and its words; all of them if it is none. */
function fitting(objects: readonly Schema[], node: unknown): readonly Schema[] {
  if (!isMap(node)) {
    return objects;
  }
  const possible = objects.filter(({ properties = {} }) =>
    Object.entries(properties).every(([name, property]) => {
      const values = valuesOf(property);
      const written: unknown = node.get(name);
      return values.length === 0 || typeof written !== "string" || isOpen(written) || values.includes(written);
    }),
  );
  const knowing = possible.filter(({ properties = {} }) =>
    node.items.every(({ key }) => {
      const name = String(key);
      return isOpen(name) || name in properties;
    }),
  );
  return knowing.length > 0 ? knowing : possible.length > 0 ? possible : objects;
}

/** Tells whether the text is still being written. */
function isOpen(text: string): boolean {
  return text.includes(CURSOR);
}

/** Returns the fields by which objects differ: a common one with words, or else the required ones. */
function choosing(objects: readonly Schema[]): readonly string[] {
  const common = namesOf(objects[0]).filter((name) =>
    objects.every(({ properties }) => properties?.[name] !== undefined && valuesOf(properties[name]).length > 0),
  );
  return common.length > 0
    ? common.slice(0, 1)
    : [...new Set(objects.flatMap(({ required, properties }) => required ?? Object.keys(properties ?? {})))];
}
