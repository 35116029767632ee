/** What stands in a row of a table; nothing where there is no figure. */
export type Row = readonly (string | number | boolean | null | undefined)[];

/** The rows as RFC 4180 has them, but with plain line feeds. */
export function toCsv(rows: readonly Row[]): string {
  return rows.map((row) => `${row.map(cell).join(",")}\n`).join("");
}

function cell(value: Row[number]): string {
  return typeof value === "string" ? quoted(value) : String(value ?? "");
}

/** Nothing that a spreadsheet would take for a formula stands at the beginning of a text. */
function quoted(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
