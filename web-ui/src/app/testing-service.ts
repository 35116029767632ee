import { vi } from "vitest";

import { basePath } from "@/api/base";
import type { Caller, ExperimentSummary, Problem, Project, Run, RunSummary, Schemas, Worker } from "@/api/schemas";

/** A fake of the service that gives the defined answers and records the requests. */
export class TestingService {
  readonly requests: Request[] = [];
  readonly #answers = new Map<string, () => Response | Promise<Response>>();

  /** Returns a service with one empty project. */
  static withProject(): TestingService {
    const service = new TestingService();
    service.rejects("GET /api/v1/session", 401, "There is no session.");
    service.answers("GET /api/v1/sign-in", { password: true, oidc: null, users: true });
    service.#answers.set("POST /api/v1/session", () => {
      // From then on the browser has the cookie.
      service.answers("GET /api/v1/session", SESSION);
      return Response.json(SESSION);
    });
    service.answers("GET /api/v1/version", { version: "0.1.0", protocol: "0.2" });
    service.answers("GET /api/v1/me", CALLER);
    service.lists("/api/v1/projects", [PROJECT]);
    service.lists("/api/v1/runs", []);
    service.lists("/api/v1/workers", []);
    vi.stubGlobal("fetch", (request: Request) => service.#respond(request));
    return service;
  }

  /** Adds a run to the list and answers requests for it; its event stream is empty. */
  hasRun(run: Run): void {
    this.lists("/api/v1/runs", [summary(run)]);
    this.answers(`GET /api/v1/runs/${run.id}`, run);
    this.answers(`GET /api/v1/runs/${run.id}/metrics`, { items: [], droppedPoints: 0 });
    const { queuedAt } = run;
    const waterfall = { from: queuedAt, to: queuedAt, seconds: 0, open: true, segments: [] };
    this.answers(`GET /api/v1/runs/${run.id}/waterfall`, waterfall);
    this.#answers.set(`GET /api/v1/runs/${run.id}/events`, () => new Response(null, { status: 204 }));
  }

  answers(operation: string, body: object, status = 200, headers: Record<string, string> = {}): void {
    this.#answers.set(operation, () => Response.json(body, { status, headers }));
  }

  lists(path: string, items: readonly object[]): void {
    this.answers(`GET ${path}`, { items, next: null });
  }

  rejects(operation: string, status: number, detail: string): void {
    const problem: Problem = {
      type: "urn:equipoise:problem:rejected",
      code: "rejected",
      status,
      title: "Rejected",
      detail,
      instance: operation,
    };
    this.answers(operation, problem, status);
  }

  isUnreachable(operation: string): void {
    this.#answers.set(operation, () => {
      throw new TypeError("Failed to fetch");
    });
  }

  /** Answers with the status and without a body, once the returned function is called. */
  holds(operation: string, status: number): () => void {
    let release = (): void => undefined;
    const answer = new Promise<Response>((resolve) => {
      release = () => {
        resolve(new Response(null, { status }));
      };
    });
    this.#answers.set(operation, () => answer);
    return release;
  }

  asked(operation: string): readonly Request[] {
    return this.requests.filter((request) => operationOf(request) === operation);
  }

  async #respond(request: Request): Promise<Response> {
    this.requests.push(request);
    const answer = this.#answers.get(operationOf(request));
    if (answer === undefined) {
      throw new Error(`No answer is defined for ${operationOf(request)}`);
    }
    return answer();
  }
}

function operationOf({ method, url }: Request): string {
  const { pathname } = new URL(url);
  const isInside = pathname.startsWith(`${basePath()}/`);
  return `${method} ${isInside ? pathname.slice(basePath().length) : `outside of the service: ${pathname}`}`;
}

/** The session that a password, a token or a link begins. */
export const SESSION: Schemas["Session"] = { name: "notebook", expiresAt: "2026-01-06T00:00:00Z", csrfToken: "c1" };

export const CALLER: Caller = {
  name: "notebook",
  account: null,
  administrator: false,
  everywhere: null,
  projects: { p1: "editor" },
};

export const PROJECT: Project = {
  id: "p1",
  name: "Speed study",
  role: "editor",
  quota: { replicasAtOnce: null, queuedRuns: null, workerMinutesAWeek: null, storedBytes: null },
  createdAt: "2026-01-05T08:00:00Z",
};

const CONFIGURATION: Run["configuration"] = {
  apiVersion: "equipoise/v1",
  name: "mnist-heterogeneous",
  dataset: { name: "mnist", normalisation: { kind: "unit" }, limit: 1000 },
  network: { preset: "mnist-cnn" },
  training: {
    epochs: 2,
    batchSize: 10,
    loss: { kind: "softmax-cross-entropy", reduction: "mean" },
    optimizer: {
      kind: "sgd",
      learningRate: 0.05,
      momentum: 0,
      nesterov: false,
      schedule: { kind: "constant", warmUp: 0 },
      clipping: { kind: "none" },
    },
  },
  workers: { replicas: 2, minimum: 2, selector: {} },
  partitioning: {
    kind: "functional",
    model: "piecewise",
    solver: "geometric",
    rounding: "largest-remainder",
    points: "full",
  },
  synchronization: { kind: "bsp" },
  topology: { kind: "all-reduce", algorithm: "ring", order: "by-rank" },
  compression: { kind: "none" },
  channel: "direct",
  heterogeneity: { links: [], slowDown: {}, slowDownFrom: 1 },
  execution: { kind: "real" },
  evaluation: { every: 1, replicas: "last" },
  trace: false,
  record: false,
  keepModel: "last",
  preemption: "never",
  checkpoint: { every: 1, keep: 1 },
  restarts: 5,
  seed: 7,
};

export const EXPERIMENT: ExperimentSummary = {
  id: "e1",
  project: PROJECT.id,
  name: "mnist-heterogeneous",
  version: 3,
  configurationCount: 2,
  createdAt: "2026-01-05T09:00:00Z",
};

export const WORKER: Worker = {
  id: "w1",
  name: "north",
  state: "BUSY",
  cordon: "OPEN",
  host: {
    name: "host-a",
    processors: 8,
    threads: 4,
    memoryBytes: 16 * 2 ** 30,
    system: "Linux 6.1",
    backend: "oneDNN 3.11.0",
    slowDown: 2.31,
    processor: "AMD EPYC 7543",
    instructionSet: "AVX512_CORE",
  },
  agentVersion: "0.1.0",
  labels: {},
  clusterAddress: "10.0.0.1:5701",
  sees: [],
  load: 3.5,
  coolingUntil: null,
  joinedAt: "2026-01-05T08:30:00Z",
  lastSeenAt: "2026-01-05T09:30:00Z",
  protocolVersion: "0.2",
  dataAddress: "10.0.0.1:5702",
  formingUntil: null,
  probes: [],
  folders: ["flowers"],
};

export const NO_HISTORY: Schemas["WorkerHistory"] = {
  from: "2026-01-04T09:30:00Z",
  to: "2026-01-05T09:30:00Z",
  load: [],
  memory: [],
  states: [],
};

const QUEUED: Run = {
  id: "r1",
  project: PROJECT.id,
  experiment: EXPERIMENT.id,
  experimentName: EXPERIMENT.name,
  experimentVersion: EXPERIMENT.version,
  position: 0,
  label: "",
  name: `${EXPERIMENT.name} #1`,
  priority: 0,
  tags: [],
  place: 1,
  predictedStart: null,
  state: "QUEUED",
  configuration: CONFIGURATION,
  validation: null,
  waiting: null,
  failure: null,
  generation: 0,
  prediction: null,
  epochSeconds: null,
  testAccuracy: null,
  testLoss: null,
  replicasIdentical: null,
  progress: { epoch: 0, epochs: 2, round: 0, rounds: 50, fraction: 0 },
  rounds: 50,
  replicas: [],
  hybrid: null,
  batchCounts: null,
  epochs: [],
  times: null,
  droppedPoints: 0,
  preemptions: 0,
  setbacks: 0,
  setback: null,
  notBefore: null,
  checkpointEpoch: null,
  refusal: null,
  revision: 0,
  model: null,
  notes: null,
  queuedAt: "2026-01-05T09:10:00Z",
  startedAt: null,
  endedAt: null,
};

/** Returns the run as lists describe it. */
export function summary(run: Run): RunSummary {
  const { synchronization, topology, compression, partitioning, seed } = run.configuration;
  return { ...run, synchronization, topology, compression, partitioning, seed };
}

export function waitingRun(message: string): Run {
  return { ...QUEUED, waiting: { code: "too-few-workers", message } };
}

export function failedRun(message: string): Run {
  return { ...QUEUED, state: "FAILED", failure: { cause: "worker", code: "worker-lost", message } };
}

/** Returns a run in its second epoch, after one in which rank 1 waited for rank 0. */
export function runningRun(): Run {
  return {
    ...QUEUED,
    state: "RUNNING",
    generation: 1,
    prediction: {
      computeSeconds: 4,
      exchangeSeconds: 0.5,
      epochSeconds: 4.5,
      modelSeconds: 4.5,
      uncertainty: 0.1,
      bytes: 1_000_000,
      doubts: [],
    },
    epochSeconds: 5,
    testAccuracy: 0.9312,
    testLoss: 0.2431,
    replicasIdentical: true,
    progress: { epoch: 2, epochs: 2, round: 10, rounds: 50, fraction: 0.6 },
    replicas: [
      {
        rank: 0,
        worker: "w1",
        workerName: "north",
        share: 250,
        batch: [5, 6],
        processor: null,
        backend: "oneDNN 3.11.0",
        replaced: null,
      },
      {
        rank: 1,
        worker: "w2",
        workerName: "south",
        share: 750,
        batch: [15, 16],
        processor: null,
        backend: "ND4J's own operations",
        replaced: null,
      },
    ],
    epochs: [
      {
        epoch: 1,
        epochSeconds: 5,
        wallClockSeconds: 6,
        testAccuracy: 0.9312,
        testLoss: 0.2431,
        meanLoss: 0.4,
        replicasIdentical: true,
        distance: null,
        ranks: [
          {
            ...RANK,
            rank: 0,
            samples: 250,
            computeSeconds: 4.25,
            transferSeconds: 0.5,
            waitSeconds: 0.25,
            bytesSent: 12_400_000,
          },
          {
            ...RANK,
            rank: 1,
            samples: 750,
            computeSeconds: 3,
            transferSeconds: 0.5,
            waitSeconds: 1.5,
            bytesSent: 12_400_000,
          },
        ],
      },
    ],
    startedAt: "2026-01-05T09:11:00Z",
  };
}

const RANK = {
  generation: 1,
  encodeSeconds: 0,
  applySeconds: 0,
  hiddenSeconds: 0,
  wallSeconds: 5,
  traffic: { gradientBytes: 12_400_000, weightBytes: 0, controlBytes: 0, frames: 200 },
  updates: { steps: 50, learningRate: 0.05, staleness: [], greatestStaleness: 0 },
  meanLoss: 0.4,
  ownAccuracy: null,
  ownLoss: null,
  parameters: "6f1c",
  difference: null,
};
