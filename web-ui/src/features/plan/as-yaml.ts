/** A definition goes as it is written: its text is the body. */
export const AS_YAML = {
  headers: { "Content-Type": "application/yaml" },
  bodySerializer: (text: string): string => text,
} as const;
