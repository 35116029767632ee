/**
 * A plain value of a configuration, by its path: `setting(run.configuration, "training", "epochs")`. The service may
 * know kinds and parameters that this page has never heard of, so nothing is taken for granted.
 */
export function setting(configuration: object, ...path: readonly string[]): string | undefined {
  let value: unknown = configuration;
  for (const name of path) {
    value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  }
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "boolean":
      return String(value);
    default:
      return undefined;
  }
}
