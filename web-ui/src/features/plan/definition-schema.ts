import { isMap } from "yaml";

/** The part of JSON Schema that the service's description uses. */
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

/** The service's description of definitions. */
export interface Description {
  readonly root: Schema;
  readonly schemas: Readonly<Record<string, Schema>>;
}

const REFERENCE = "#/components/schemas/";
/** A definition expands to run configurations, which the description contains in place of definitions. */
const ROOT = "RunConfiguration";
/** The field of a configuration that only the service may write. */
const WRITTEN_BY_SERVICE = "automatic";
/** A choice by this field has a short form: its kind alone. */
const KIND = "kind";

/** Reads the OpenAPI description; returns null if it contains no definitions. */
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

/** Returns the schema of a field or an element of the node. */
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

/** Returns the names of the fields that the node lacks. */
export function fieldsOf(from: Description, schema: Schema, node: unknown): readonly string[] {
  const names = Object.keys(variant(from, schema, node).properties ?? {});
  return names.filter((name) => !isMap(node) || !node.has(name));
}

/** Returns the possible words of a value. */
export function wordsOf(from: Description, schema: Schema): readonly string[] {
  const { type, enum: values, discriminator } = resolve(from, schema);
  if (discriminator !== undefined) {
    return discriminator.propertyName === KIND ? Object.keys(discriminator.mapping ?? {}) : [];
  }
  return type === "boolean" ? ["true", "false"] : (values ?? []).filter((value) => typeof value === "string");
}

/** Returns the schema of the node's choice; without a choice, the schema of the choosing field alone. */
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
