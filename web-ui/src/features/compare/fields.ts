import { NONE } from "@/shared/format";

/** Values of a definition by their dotted paths: `training.batchSize`. */
export type Fields = ReadonlyMap<string, string>;

/** Returns the paths whose values differ, in the order of the definitions. */
export function differing(all: readonly Fields[]): readonly string[] {
  return pathsOf(all).filter((path) => new Set(all.map((fields) => fields.get(path))).size > 1);
}

function pathsOf(all: readonly Fields[]): readonly string[] {
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
