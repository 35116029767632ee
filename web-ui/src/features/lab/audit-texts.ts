import { NONE } from "@/shared/format";

/** Formats a code of the service: "member-set" becomes "member set". */
export function words(name: string): string {
  return name.replaceAll("-", " ");
}

/** Formats the details of an audit entry: "role: editor, name: Ann". */
export function detailText(detail: Readonly<Record<string, unknown>>): string {
  const known = Object.entries(detail).filter(([, value]) => value !== null);
  return known.length === 0
    ? NONE
    : known.map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`).join(", ");
}
