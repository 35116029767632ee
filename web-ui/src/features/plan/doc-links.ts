import type { DocLink } from "@/shared/doc-link";

/** Where the documentation describes the fields of a definition: by path; a field without an entry has that above. */
export const DOCS: Readonly<Record<string, DocLink>> = {
  "": { page: "comparison", anchor: "run-a-definition" },
  dataset: { page: "datasets" },
  "dataset.augment": { page: "datasets", anchor: "augmentation" },
  "dataset.folder": { page: "datasets", anchor: "your-own-data" },
  "dataset.normalisation": { page: "datasets", anchor: "normalization" },
  network: { page: "networks" },
  "network.layers": { page: "networks", anchor: "layers" },
  "network.preset": { page: "networks", anchor: "presets" },
  training: { page: "methods" },
  "training.loss": { page: "networks", anchor: "loss" },
  "training.optimizer": { page: "optimizers" },
  "training.optimizer.clipping": { page: "optimizers", anchor: "clipping" },
  "training.optimizer.schedule": { page: "optimizers", anchor: "schedule" },
  "training.optimizer.weightDecay": { page: "optimizers", anchor: "weight-decay" },
  initial: { page: "models" },
  workers: { page: "methods", anchor: "runs-that-can-be-stopped-or-lose-ranks" },
  partitioning: { page: "partitioning" },
  synchronization: { page: "methods", anchor: "synchronization" },
  topology: { page: "methods", anchor: "topology" },
  compression: { page: "codecs" },
  channel: { page: "exchange", anchor: "channels" },
  heterogeneity: { page: "methods", anchor: "what-is-measured" },
  execution: { page: "methods", anchor: "virtual-runs-execution-virtual" },
  evaluation: { page: "comparison" },
  trace: { page: "exchange", anchor: "traces-the-time-of-a-run-slice-by-slice" },
  record: { page: "exchange", anchor: "replays-an-asynchronous-run-again-to-the-bit" },
  keepModel: { page: "models" },
  preemption: { page: "queue", anchor: "preemption" },
  checkpoint: { page: "reliability", anchor: "checkpoints" },
  restarts: { page: "reliability", anchor: "a-worker-is-lost" },
  priority: { page: "queue", anchor: "priority" },
};

/** Returns the documentation of a field by its dotted path, else that of the nearest field above. */
export function docsOf(path: string): DocLink {
  const above = path.slice(0, Math.max(0, path.lastIndexOf(".")));
  return DOCS[path] ?? (path === "" ? { page: "index" } : docsOf(above));
}
