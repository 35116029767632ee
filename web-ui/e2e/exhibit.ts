import { call, cancelRuns, person, reached, submit, type Identified } from "./service";

/** A sample lab with data for every page. */
export interface Exhibit {
  readonly project: Identified;
  readonly completed: readonly string[];
  readonly running: string;
}

const NAME = "Digit study";

/** Number of compared runs: three methods with two seeds each. */
const COMPARED = 6;

/**
 * Fills the lab with compared runs of three methods with two seeds each, a training run, and a run that waits for
 * workers. Reuses data that the lab already has.
 */
export async function exhibit(data: string, epochs = 400): Promise<Exhibit> {
  const project = (await projectOfExhibit()) ?? (await found());
  const completed = await runs(
    project,
    "COMPLETED",
    () => submit(project, definition("methods", data, 4, METHODS)),
    COMPARED,
  );
  for (const run of completed) {
    await reached(`/runs/${run}`, "COMPLETED");
  }
  await measureLinks();
  const [running = ""] = await runs(project, "RUNNING", () => submit(project, definition("longer", data, epochs)));
  await runs(project, "QUEUED", () => submit(project, definition("five-workers", data, 4, "", 5)));
  await reached(`/runs/${running}`, "RUNNING");
  return { project, completed, running };
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

async function runs(
  project: Identified,
  states: string,
  others: () => Promise<readonly string[]>,
  least = 1,
): Promise<readonly string[]> {
  const { items } = await call<{ items: readonly Identified[] }>(`GET /runs?project=${project.id}&state=${states}`);
  return items.length >= least ? items.map(({ id }) => id) : others();
}

const METHODS = `
matrix:
  synchronization: [bsp, {kind: local-sgd, period: 4}, {kind: async, maxStaleness: 2}]
seeds: [1, 2]`;

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
