import { field, type DefinitionText } from "./definition-text";

/** Fields of a definition in the form; the text holds their values. */
export interface Fields {
  readonly name: string;
  readonly priority: number | null;
  readonly seeds: readonly string[];
}

export function fieldsOf(document: DefinitionText): Fields {
  const name = field(document, "name");
  const priority = field(document, "priority");
  const seeds = field(document, "seeds");
  return {
    name: typeof name === "string" ? name : "",
    priority: typeof priority === "bigint" || typeof priority === "number" ? Number(priority) : null,
    seeds: Array.isArray(seeds) ? seeds.filter((seed) => typeof seed === "bigint").map(String) : [],
  };
}

/** Parses whole numbers, each once; undefined if there are none. */
export function seedsOf(words: readonly string[]): readonly bigint[] | undefined {
  const seeds = words.map((word) => word.trim()).filter((word) => /^-?\d+$/.test(word));
  return seeds.length === 0 ? undefined : [...new Set(seeds.map(BigInt))];
}
