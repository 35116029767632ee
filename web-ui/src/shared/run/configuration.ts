/**
 * Returns a plain value of a configuration by its path: `setting(run.configuration, "training", "epochs")`. A newer
 * service may have kinds and parameters that this page does not know, so every step is checked.
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

interface Method {
  readonly synchronization: { readonly kind: string };
  readonly topology: { readonly kind: string };
  readonly compression: { readonly kind: string };
  readonly partitioning: { readonly kind: string };
}

/** Summarizes the synchronization method of a run in a few words; the definition has the parameters. */
export function method({ synchronization, topology, compression, partitioning }: Method): string {
  const period = setting(synchronization, "period");
  const overlapped = setting(synchronization, "overlap") === "true";
  return [
    [synchronization.kind, ...(period === undefined ? [] : [period]), ...(overlapped ? ["overlapped"] : [])].join(" "),
    setting(topology, "algorithm") ?? topology.kind,
    ...(compression.kind === "none" ? [] : [compression.kind]),
    partitioning.kind,
  ].join(" · ");
}
