import { call, cancelRuns, person, reached, submit, type Identified } from "./service";

/** A sample lab with data for every page. */
export interface Exhibit {
  readonly project: Identified;
  readonly completed: readonly string[];
  /** Completed runs with different numbers of replicas. */
  readonly scaled: readonly string[];
  readonly running: string;
}

const NAME = "Digit study";

/** Number of compared runs: three methods with two seeds each. */
const COMPARED = 6;

/** Number of runs that differ in their replicas. */
const SCALED = 2;

/**
 * Fills the lab with compared runs of three methods with two seeds each, two runs that differ in their replicas, a
 * training run, and a run that waits for workers. Reuses data that the lab already has.
 */
export async function exhibit(data: string, epochs = 400): Promise<Exhibit> {
  const project = (await projectOfExhibit()) ?? (await found());
  const submitted = (name: string, length: number, more?: string, replicas?: number): Promise<readonly string[]> =>
    submit(project, definition(name, data, length, more, replicas));
  const completed = await runs(project, "methods", "COMPLETED", (name) => submitted(name, 4, METHODS), COMPARED);
  const scaled = await runs(project, "scaling", "COMPLETED", (name) => submitted(name, 4, REPLICAS), SCALED);
  for (const run of [...completed, ...scaled]) {
    await reached(`/runs/${run}`, "COMPLETED");
  }
  await measureLinks();
  const [running = ""] = await runs(project, "longer", "RUNNING", (name) => submitted(name, epochs));
  await runs(project, "five-workers", "QUEUED", (name) => submitted(name, 4, "", 5));
  await reached(`/runs/${running}`, "RUNNING");
  return { project, completed, scaled, running };
}

/** Frees the workers, even if the sample lab is incomplete. */
export async function closeExhibit(): Promise<void> {
  const project = await projectOfExhibit();
  if (project !== undefined) {
    await cancelRuns(project);
  }
}

async function projectOfExhibit(): Promise<Identified | undefined> {
  const { items } = await call<{ items: readonly (Identified & { name: string })[] }>("GET /projects");
  return items.find(({ name }) => name === NAME);
}

/** Measures the links of all workers. */
async function measureLinks(): Promise<void> {
  const { items: links } = await call<{ items: readonly unknown[] }>("GET /links");
  if (links.length === 0) {
    const { items: workers } = await call<{ items: readonly Identified[] }>("GET /workers?state=IDLE");
    const { id } = await call<Identified>("POST /links/measurements", {
      json: { workers: workers.map(({ id }) => id) },
    });
    await reached(`/links/measurements/${id}`, "COMPLETE");
  }
}

async function found(): Promise<Identified> {
  const suffix = Date.now().toString(36);
  const project = await call<Identified>("POST /projects", { json: { name: NAME } });
  await person(`maria-${suffix}`, project, "owner");
  await person(`tomas-${suffix}`, project, "viewer");
  await call(`PUT /projects/${project.id}/quota`, { json: { replicasAtOnce: 6, queuedRuns: 200 } });
  return project;
}

/** Returns the runs of an experiment in a state, or submits others if there are too few. */
async function runs(
  project: Identified,
  name: string,
  state: string,
  others: (name: string) => Promise<readonly string[]>,
  least = 1,
): Promise<readonly string[]> {
  const query = `project=${project.id}&name=${name}&state=${state}`;
  const { items } = await call<{ items: readonly Identified[] }>(`GET /runs?${query}`);
  return items.length >= least ? items.map(({ id }) => id) : others(name);
}

const METHODS = `
matrix:
  synchronization: [bsp, {kind: local-sgd, period: 4}, {kind: async, maxStaleness: 2}]
seeds: [1, 2]`;

const REPLICAS = `
matrix:
  workers.replicas: [2, 3]`;

function definition(name: string, data: string, epochs: number, more = "", replicas = 3): string {
  return `
apiVersion: equipoise/v1
name: ${name}
dataset: ${data}
network: {preset: mnist-cnn}
training: {epochs: ${epochs.toString()}, batchSize: 64, optimizer: {kind: sgd, learningRate: 0.05}}
workers: {replicas: ${replicas.toString()}}
partitioning: functional
trace: true
${more}`;
}
