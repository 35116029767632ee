import type { Place, Schema } from "./definition-schema";

/** Limits below this are those of a positive number of 32 bits. */
const LEAST_POSITIVE = 1e-30;

/** Describes a field in sentences: what it is, its default, its limits and its words. */
export function helpOf({ field, alternatives }: Place): string {
  const { description = "", default: fallback } = field;
  const isSaid = description.includes("Default:");
  const isPlain = typeof fallback === "string" || typeof fallback === "number" || typeof fallback === "boolean";
  const numbers = alternatives.map(({ schema }) => schema).filter(({ minimum }) => minimum !== undefined);
  const limits = numbers.length === 1 ? limitsOf(numbers[0] ?? {}) : "";
  return [description, isPlain && !isSaid ? `Default: ${String(fallback)}.` : "", limits]
    .filter((text) => text !== "")
    .join(" ");
}

function limitsOf({ minimum, maximum }: Schema): string {
  if (minimum === undefined || maximum === undefined) {
    return "";
  }
  if (!Number.isSafeInteger(Math.trunc(maximum)) && minimum < 0) {
    return "A whole number of 64 bits.";
  }
  return 0 < minimum && minimum < LEAST_POSITIVE
    ? `Above 0, at most ${written(maximum)}.`
    : `From ${written(minimum)} to ${written(maximum)}.`;
}

function written(value: number): string {
  return value.toLocaleString("en", { maximumSignificantDigits: 15 });
}
