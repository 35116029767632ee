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

interface Method {
  readonly synchronization: { readonly kind: string };
  readonly topology: { readonly kind: string };
  readonly compression: { readonly kind: string };
  readonly partitioning: { readonly kind: string };
}

/** How a run trains in parallel, in a few words; parameters stand in its definition. */
export function method({ synchronization, topology, compression, partitioning }: Method): string {
  const period = setting(synchronization, "period");
  return [
    period === undefined ? synchronization.kind : `${synchronization.kind} ${period}`,
    setting(topology, "algorithm") ?? topology.kind,
    ...(compression.kind === "none" ? [] : [compression.kind]),
    partitioning.kind,
  ].join(" · ");
}
