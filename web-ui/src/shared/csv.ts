/** The cells of a row of a table; a missing value is an empty cell. */
export type Row = readonly (string | number | boolean | null | undefined)[];

/** Formats rows as in RFC 4180, but with plain line feeds. */
export function toCsv(rows: readonly Row[]): string {
  return rows.map((row) => `${row.map(cell).join(",")}\n`).join("");
}

function cell(value: Row[number]): string {
  return typeof value === "string" ? quoted(value) : String(value ?? "");
}

/** Escapes text that a spreadsheet would take for a formula. */
function quoted(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
