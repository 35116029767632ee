/**
 * Search parameters of a page as the URL gives them. Anyone may write a URL, so each reader below checks the type of one
 * field, and returns an object with that field, or an empty object.
 */
type Given = Record<string, unknown>;

export function text<Name extends string>(given: Given, name: Name): Partial<Record<Name, string>> {
  const value = given[name];
  return typeof value === "string" && value !== "" ? field(name, value) : {};
}

export function flag<Name extends string>(given: Given, name: Name): Partial<Record<Name, boolean>> {
  const value = given[name];
  return typeof value === "boolean" ? field(name, value) : {};
}

export function number<Name extends string>(
  given: Given,
  name: Name,
  least: number,
  most: number,
): Partial<Record<Name, number>> {
  const value = given[name];
  return typeof value === "number" && value >= least && value <= most ? field(name, value) : {};
}

export function choice<Name extends string, Value extends string>(
  given: Given,
  name: Name,
  values: readonly Value[],
): Partial<Record<Name, Value>> {
  const found = values.find((value) => value === given[name]);
  return found === undefined ? {} : field(name, found);
}

/** Reads texts, or a single one: each once, and only those in `values` if given. */
export function texts<Name extends string, Value extends string = string>(
  given: Given,
  name: Name,
  values?: readonly Value[],
): Partial<Record<Name, readonly Value[]>> {
  const value = given[name];
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  const known = all.filter(
    (each): each is Value => typeof each === "string" && (values?.some((allowed) => allowed === each) ?? each !== ""),
  );
  return known.length === 0 ? {} : field(name, [...new Set(known)]);
}

/** Reads named pairs of numbers, the lower first. */
export function intervals<Name extends string>(
  given: Given,
  name: Name,
): Partial<Record<Name, Readonly<Record<string, readonly [number, number]>>>> {
  const value = given[name];
  const known = Object.entries(typeof value === "object" && value !== null ? value : {}).filter(
    (entry): entry is [string, [number, number]] => {
      const pair: unknown = entry[1];
      return Array.isArray(pair) && pair.length === 2 && pair.every(Number.isFinite) && pair[0] <= pair[1];
    },
  );
  return known.length === 0 ? {} : field(name, Object.fromEntries(known));
}

function field<Name extends string, Value>(name: Name, value: Value): Partial<Record<Name, Value>> {
  return { [name]: value } as Partial<Record<Name, Value>>;
}
