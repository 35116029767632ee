import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

import { asAdministrator, expect, test } from "./dashboard";
import { call, type Identified } from "./service";

const FOLDER = process.env.EQUIPOISE_PICTURES ?? join(import.meta.dirname, "../target/curves");
/** A chart is drawn shortly after its data has come. */
const DRAWN_MS = 700;

/** A picture of one chart of a comparison. */
interface Curve {
  readonly file: string;
  /** Names of the experiments; the newest completed run at each position counts. */
  readonly experiments: readonly string[];
  /** Values of the runs, or several possible ones, by their path in the configuration: they identify a scale. */
  readonly only: Readonly<Record<string, string | number | readonly string[]>>;
  /** Title of the chart. */
  readonly chart: string;
  /** The view of the page, as in its address. */
  readonly view: Readonly<Record<string, unknown>>;
}

const EXCHANGING_LESS = {
  experiments: [
    "1 LS(1), all-reduce",
    "2 LS(1), gossip",
    "3 LS(1), gossip, sparse",
    "4 LS(4), all-reduce",
    "7 LS(16), all-reduce",
    "9 LS(16), gossip, sparse",
    "10 LS(32), all-reduce",
  ],
  only: { "evaluation.compared": "replicas", "dataset.limit": 10_000, "compression.kind": ["none", "threshold"] },
  chart: "Test accuracy of each replica",
};

const PUBLISHED_LINES = {
  experiments: ["published, homogeneous", "published, heterogeneous"],
  only: { "dataset.limit": 12_000 },
  chart: "Test accuracy of each replica",
};

/** The charts of docs/results.md. */
const CURVES: readonly Curve[] = [
  {
    file: "language-model-devices",
    experiments: ["5-gram, ring", "5-gram, server"],
    only: { "dataset.limit": 4_000 },
    chart: "Speedup",
    view: { tab: "scaling", group: "topology.kind" },
  },
  {
    file: "language-model-vocabulary",
    experiments: ["500", "1,000", "2,000", "5,000", "10,000"].flatMap((words) => [
      `${words} words, one device`,
      `${words} words, four devices`,
    ]),
    only: { "dataset.limit": 4_000 },
    chart: "Speedup",
    view: { tab: "scaling", group: "dataset.vocabulary" },
  },
  {
    file: "language-model-quality",
    experiments: ["5-gram, ring", "5-gram, ring, sampled rows", "5-gram, server, sampled rows"],
    only: { "dataset.limit": 200_000 },
    chart: "Test loss",
    view: { metrics: ["test/loss"], x: "epoch" },
  },
  {
    file: "language-model-links",
    experiments: ["ring", "ring, sampled rows", "ring, sampled rows that follow the links"],
    only: { "dataset.name": "brown" },
    chart: "Training loss",
    view: { metrics: ["train/loss"], x: "seconds", smooth: 0.9 },
  },
  {
    file: "server-or-ring",
    experiments: ["ring", "tree", "recursive doubling", "one server", "one server, layer by layer", "four servers"],
    only: { "dataset.limit": 10_240 },
    chart: "Speedup",
    view: { tab: "scaling" },
  },
  {
    file: "exchanging-less-epochs",
    ...EXCHANGING_LESS,
    view: { metrics: ["replica/accuracy"], x: "epoch" },
  },
  {
    file: "exchanging-less-bytes",
    ...EXCHANGING_LESS,
    view: { metrics: ["replica/accuracy"], x: "bytes", logX: true },
  },
  {
    file: "same-accuracy",
    experiments: ["one node", "parameter server, 4 replicas", "ring, 4 replicas"],
    only: { "training.epochs": 20 },
    chart: "Test accuracy",
    view: { metrics: ["test/accuracy"], x: "epoch" },
  },
  {
    file: "hundredth-of-the-communication",
    experiments: ["whole rounds", "low rank, every fourteenth round, outer momentum"],
    only: { "dataset.limit": 10_000 },
    chart: "Test accuracy",
    view: { metrics: ["test/accuracy"], x: "bytes", logX: true },
  },
  {
    file: "batch-counts",
    experiments: ["homogeneous", "heterogeneous, 1 1 2", "heterogeneous, 2 2 5", "heterogeneous, 3 3 7"],
    only: { "dataset.limit": 12_000 },
    chart: "Test accuracy",
    view: { metrics: ["test/accuracy"], x: "seconds" },
  },
  {
    file: "published-line-slowest-replica",
    ...PUBLISHED_LINES,
    view: { metrics: ["replica/accuracy"], x: "epoch", rank: 1 },
  },
  {
    file: "published-line-fastest-replica",
    ...PUBLISHED_LINES,
    view: { metrics: ["replica/accuracy"], x: "epoch", rank: 2 },
  },
  {
    file: "hidden-units",
    experiments: ["a, 1x8", "a, 2x4", "a, 4x2", "a, 8x1", "a, 8x1 equal"],
    only: { "execution.link.latencyMicroseconds": 5_000 },
    chart: "Training loss",
    view: { metrics: ["train/loss"], x: "seconds", smooth: 0.9 },
  },
];

interface Stored extends Identified {
  readonly experimentName: string;
  readonly position: number;
}

interface Page {
  readonly items: readonly Stored[];
  readonly next: string | null;
}

test.use({ viewport: { width: 1280, height: 1400 }, colorScheme: "light", deviceScaleFactor: 1.5 });

for (const { file, experiments, only, chart, view } of CURVES) {
  test(file, async ({ page }) => {
    const runs = await newest(experiments, only);
    test.skip(runs.length === 0, `the lab has no completed run of ${experiments.join(" or ")} with such settings`);
    mkdirSync(FOLDER, { recursive: true });
    await asAdministrator(page);
    await page.goto(`/compare?${address({ group: "equal", ...view, runs })}`);
    const figure = page.locator("figure", { hasText: chart }).first();
    await expect(figure.getByRole("button", { name: /^Save “/ })).toBeVisible();
    await page.waitForTimeout(DRAWN_MS);
    await figure.screenshot({ path: join(FOLDER, `${file}.png`), animations: "disabled" });
  });
}

function address(view: Readonly<Record<string, unknown>>): string {
  return Object.entries(view)
    .map(([name, value]) => `${name}=${encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value))}`)
    .join("&");
}

/** Returns the newest completed run at each position of the experiments, in the order of the experiments. */
async function newest(experiments: readonly string[], only: Curve["only"]): Promise<readonly string[]> {
  const found = new Map<string, Stored>();
  for (const run of await completed()) {
    const key = `${run.experimentName} ${run.position.toString()}`;
    if (experiments.includes(run.experimentName) && !found.has(key) && (await matches(run, only))) {
      found.set(key, run);
    }
  }
  const place = ({ experimentName }: Stored): number => experiments.indexOf(experimentName);
  return [...found.values()].sort((a, b) => place(a) - place(b) || a.position - b.position).map(({ id }) => id);
}

async function completed(): Promise<readonly Stored[]> {
  const runs: Stored[] = [];
  for (let cursor = ""; ;) {
    const page = await call<Page>(`GET /runs?state=COMPLETED&limit=500${cursor}`);
    runs.push(...page.items);
    if (page.next === null) {
      return runs;
    }
    cursor = `&cursor=${page.next}`;
  }
}

async function matches({ id }: Identified, only: Curve["only"]): Promise<boolean> {
  const { configuration } = await call<{ configuration: unknown }>(`GET /runs/${id}`);
  return Object.entries(only).every(([path, value]) => {
    const found = at(configuration, path.split("."));
    return Array.isArray(value) ? value.includes(found) : value === found;
  });
}

function at(value: unknown, [name, ...rest]: readonly string[]): unknown {
  return name === undefined ? value : at((value as Record<string, unknown> | undefined)?.[name], rest);
}
