import { NONE } from "@/shared/format";

/** Plain values of a definition by their dotted paths: `training.batchSize`. */
export type Fields = ReadonlyMap<string, string>;

/** Field that follows from another one, `initial.run`. */
const DERIVED = "initial.digest";

/** Collects all fields, because the service may know fields that this page does not. */
export function fieldsOf(configuration: object): Fields {
  const fields = new Map<string, string>();
  collect("", configuration, fields);
  fields.delete(DERIVED);
  return fields;
}

function collect(path: string, value: unknown, fields: Map<string, string>): void {
  if (Array.isArray(value) && value.every((each) => typeof each !== "object" || each === null)) {
    fields.set(path, value.map(String).join(", "));
  } else if (typeof value === "object" && value !== null) {
    for (const [name, part] of Object.entries(value)) {
      collect(path === "" ? name : `${path}.${name}`, part, fields);
    }
  } else if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    fields.set(path, String(value));
  }
}

/** Returns the paths whose values differ, in the order of the definitions. */
export function differing(all: readonly Fields[]): readonly string[] {
  return pathsOf(all).filter((path) => new Set(all.map((fields) => fields.get(path))).size > 1);
}

export function pathsOf(all: readonly Fields[]): readonly string[] {
  return [...new Set(all.flatMap((fields) => [...fields.keys()]))];
}

/** Names a group by its values: `batchSize 32, kind bsp`. */
export function labelOf(fields: Fields, paths: readonly string[]): string {
  return paths.map((path) => `${shortened(path)} ${fields.get(path) ?? NONE}`).join(", ");
}

/** The last name of a path suffices, except for a kind, which needs the name before it. */
function shortened(path: string): string {
  const names = path.split(".");
  const last = names.pop() ?? path;
  return last === "kind" ? (names.pop() ?? last) : last;
}
