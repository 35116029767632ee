import { isMap } from "yaml";

/** As much of a JSON schema as the service's description uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly discriminator?: { readonly propertyName: string; readonly mapping?: Readonly<Record<string, string>> };
}

/** What the service tells of definitions. */
export interface Description {
  readonly root: Schema;
  readonly schemas: Readonly<Record<string, Schema>>;
}

const REFERENCE = "#/components/schemas/";
/** The run configuration is what a definition stands for, written out: the description has it, and no other. */
const ROOT = "RunConfiguration";
/** The field of a configuration that the service writes and refuses from everyone else. */
const WRITTEN_BY_SERVICE = "automatic";
/** A choice by this field has a short form: its kind alone. */
const KIND = "kind";

/** Reads the OpenAPI description; null where it has no definitions in it. */
export function descriptionOf(openApi: unknown): Description | null {
  const { components } = openApi as { components?: { schemas?: Record<string, Schema> } };
  const schemas = components?.schemas ?? {};
  const root = schemas[ROOT];
  if (root === undefined) {
    return null;
  }
  const properties = Object.entries(root.properties ?? {}).filter(([name]) => name !== WRITTEN_BY_SERVICE);
  return { root: { ...root, properties: Object.fromEntries(properties) }, schemas };
}

/** The schema of what a field or an element of the node may be. */
export function follow(from: Description, schema: Schema, name: string | number, node: unknown): Schema | undefined {
  const resolved = variant(from, schema, node);
  if (typeof name === "number") {
    return resolved.items;
  }
  const { [name]: property } = resolved.properties ?? {};
  if (property !== undefined) {
    return property;
  }
  return typeof resolved.additionalProperties === "object" ? resolved.additionalProperties : undefined;
}

export function isObject(from: Description, schema: Schema): boolean {
  const resolved = resolve(from, schema);
  return resolved.properties !== undefined || resolved.discriminator !== undefined;
}

/** The names of the fields that the node may still get. */
export function fieldsOf(from: Description, schema: Schema, node: unknown): readonly string[] {
  const names = Object.keys(variant(from, schema, node).properties ?? {});
  return names.filter((name) => !isMap(node) || !node.has(name));
}

/** The words that may stand for a value. */
export function wordsOf(from: Description, schema: Schema): readonly string[] {
  const { type, enum: values, discriminator } = resolve(from, schema);
  if (discriminator !== undefined) {
    return discriminator.propertyName === KIND ? Object.keys(discriminator.mapping ?? {}) : [];
  }
  return type === "boolean" ? ["true", "false"] : (values ?? []).filter((value) => typeof value === "string");
}

/** What the node has chosen of several; while it has chosen nothing, only what it chooses by is known. */
function variant(from: Description, schema: Schema, node: unknown): Schema {
  const resolved = resolve(from, schema);
  if (resolved.discriminator === undefined) {
    return resolved;
  }
  const { propertyName, mapping = {} } = resolved.discriminator;
  const choice: Schema = { enum: Object.keys(mapping) };
  const reference = mapping[String(isMap(node) ? node.get(propertyName) : undefined)];
  const properties = reference === undefined ? {} : resolve(from, { $ref: reference }).properties;
  return { properties: { ...properties, [propertyName]: choice } };
}

function resolve(from: Description, schema: Schema): Schema {
  const only = schema.discriminator === undefined ? schema.oneOf?.find(({ type }) => type !== "null") : undefined;
  if (only !== undefined) {
    return resolve(from, only);
  }
  const target = schema.$ref === undefined ? undefined : from.schemas[schema.$ref.slice(REFERENCE.length)];
  return target === undefined ? schema : resolve(from, target);
}
