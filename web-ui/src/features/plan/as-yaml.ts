/** Sends a definition as its text, unchanged. */
export const AS_YAML = {
  headers: { "Content-Type": "application/yaml" },
  bodySerializer: (text: string): string => text,
} as const;
