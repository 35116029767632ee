import { differing, type Fields } from "./fields";

/** Field that repeats a run. */
const SEED = "seed";

/** Fields whose defaults follow from other fields, with the beginnings of the paths of those. */
const DEFAULTS: Readonly<Record<string, readonly string[]>> = {
  "checkpoint.every": ["synchronization", "topology", "preemption"],
  "dataset.length": ["dataset.view"],
  "partitioning.most": ["workers.replicas"],
  "synchronization.bucketMegabytes": ["synchronization.overlap"],
  "synchronization.maxStaleness": ["partitioning"],
};

/**
 * Returns the fields that were chosen to differ, in the order of the definitions: of the differing ones, neither the
 * seed nor those that follow from another differing field.
 */
export function sweptFields(all: readonly Fields[]): readonly string[] {
  const paths = differing(all);
  return paths.filter(
    (path) => path !== SEED && !followsFromKind(path, paths, all) && !isFollowingDefault(path, paths),
  );
}

/** Whether a field has one value and is missing where a kind differs, which explains it. */
function followsFromKind(path: string, paths: readonly string[], all: readonly Fields[]): boolean {
  const values = new Set(all.flatMap((fields) => fields.get(path) ?? []));
  return values.size === 1 && paths.some((other) => other !== path && isKindAbove(other, path));
}

function isKindAbove(other: string, path: string): boolean {
  return other === "kind" || (other.endsWith(".kind") && path.startsWith(other.slice(0, -"kind".length)));
}

function isFollowingDefault(path: string, paths: readonly string[]): boolean {
  return (DEFAULTS[path] ?? []).some((cause) => paths.some((other) => other.startsWith(cause)));
}
