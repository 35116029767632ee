import { render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import type { Run, Schemas } from "@/api/schemas";

import { App } from "./app";
import { TestingService, runningRun, summary } from "./testing-service";

describe("a comparison", () => {
  let service: TestingService;
  let user: ReturnType<typeof userEvent.setup>;

  beforeEach(() => {
    service = TestingService.withProject();
    user = userEvent.setup();
  });

  function open(search: string): void {
    sessionStorage.setItem("equipoise.token", "eqp_secret");
    window.history.replaceState(null, "", `/compare${search}`);
    render(<App env="test" />);
  }

  function withTwoRuns(): void {
    const runs = [completed("r1", 0, 10), completed("r2", 1, 20)];
    runs.forEach((run) => {
      service.hasRun(run);
    });
    service.lists("/api/v1/runs", runs.map(summary));
    service.answers("GET /api/v1/comparisons", comparison(runs));
    service.answers("GET /api/v1/comparisons/subjects", subjects(runs));
    service.answers("GET /api/v1/metrics", { items: runs.map(({ id }) => ({ run: id, metrics: [] })) });
  }

  const TWO = '?runs=["r1","r2"]';

  it("says how to choose runs if there are none", async () => {
    open("");

    expect(await screen.findByText("No runs are chosen")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Go to the runs" }).getAttribute("href")).toContain("/runs");
  });

  it("adds a run that is searched for, and removes it again", async () => {
    withTwoRuns();
    open("");

    await user.type(await screen.findByRole("combobox", { name: "Add a run" }), "mnist");
    await waitFor(() => {
      expect(service.asked("GET /api/v1/runs").some(({ url }) => url.includes("name=mnist"))).toBe(true);
    });
    await user.click(await screen.findByRole("option", { name: /mnist-heterogeneous: batchSize 10, seed 1/ }));

    const chosen = within(await screen.findByRole("list", { name: "Compared runs" }));
    expect(await chosen.findByRole("link", { name: "batchSize 10, seed 1" })).toBeTruthy();

    await user.click(chosen.getByRole("button", { name: "Remove batchSize 10, seed 1" }));
    expect(await screen.findByText("No runs are chosen")).toBeTruthy();
  });

  it("shows only the fields that differ", async () => {
    withTwoRuns();
    open(`${TWO}&tab=differences`);

    const table = within(await screen.findByRole("table", { name: "Fields that differ" }));
    expect(table.getAllByRole("rowheader").map(({ textContent }) => textContent)).toEqual(["training.batchSize"]);
    expect(table.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual([
      "Field",
      "batchSize 10, seed 1",
      "batchSize 20, seed 1",
    ]);
    expect(table.getAllByRole("cell").map(({ textContent }) => textContent)).toEqual(["10", "20"]);
    const derived = within(screen.getByRole("table", { name: "Fields that follow from others" }));
    expect(derived.getAllByRole("rowheader").map(({ textContent }) => textContent)).toEqual(["checkpoint.every"]);
  });

  it("groups runs of several seeds at once, and singly on request", async () => {
    withTwoRuns();
    const runs = [completed("r1", 0, 10), completed("r2", 1, 10)];
    const { items } = subjects(runs);
    service.answers("GET /api/v1/comparisons/subjects", {
      items: items.map((each, index) => ({
        ...each,
        name: `bsp, seed ${(index + 1).toString()}`,
        label: "bsp",
        group: 0,
      })),
      differences: [],
    });
    open(TWO);

    const choice = await screen.findByRole<HTMLInputElement>("combobox", { name: "Groups" });
    expect(choice.value).toBe("Seed groups");
    expect(screen.getByRole("link", { name: "bsp, seed 2" })).toBeTruthy();

    await user.click(choice);
    await user.click(await screen.findByRole("option", { name: "Each run separately" }));
    await waitFor(() => {
      expect(window.location.search).toContain("group=each");
    });
  });

  it("requests the figures to a target that all runs reach", async () => {
    withTwoRuns();
    open(`${TWO}&tab=trade-offs`);

    const table = within(await screen.findByRole("table", { name: "Figures of the runs" }));
    expect(table.getAllByRole("rowheader").map(({ textContent }) => textContent)).toEqual([
      "batchSize 10, seed 1",
      "batchSize 20, seed 1",
    ]);
    expect(service.asked("GET /api/v1/comparisons").some(({ url }) => url.includes("target=0.9"))).toBe(true);
  });

  it("shows the accuracy of the replicas where the definition compares them", async () => {
    withTwoRuns();
    const runs = [completed("r1", 0, 10), completed("r2", 1, 20)];
    const { runs: compared, ...rest } = comparison(runs);
    service.answers("GET /api/v1/comparisons", {
      ...rest,
      compared: "replicas",
      runs: compared.map((run) => ({
        ...run,
        figures: { ...run.figures, replicaAccuracy: 0.5 },
        curve: run.curve.map((point) => ({ ...point, replicaAccuracy: 0.5 })),
      })),
    });
    open(`${TWO}&tab=trade-offs`);

    const table = within(await screen.findByRole("table", { name: "Figures of the runs" }));
    expect(table.getByRole("columnheader", { name: "Accuracy of the replicas" })).toBeTruthy();
    expect(table.getAllByRole("cell", { name: /^50/ })).toHaveLength(2);
    expect(screen.getByText(/refer to the accuracy of the replicas/)).toBeTruthy();
    expect(service.asked("GET /api/v1/comparisons").some(({ url }) => url.includes("target=0.5"))).toBe(true);
  });

  it("shows speedup and efficiency", async () => {
    withTwoRuns();
    open(`${TWO}&tab=scaling`);

    const table = within(await screen.findByRole("table", { name: "Speedup and efficiency" }));
    expect(table.getAllByRole("rowheader").map(({ textContent }) => textContent)).toEqual([
      "batchSize 10",
      "batchSize 20",
    ]);
    expect(screen.getByText(/^All runs have 2 replicas\. Scaling needs runs with more or fewer/)).toBeTruthy();
    expect(screen.queryByText(/A line joins runs/)).toBeNull();
  });

  it("draws speedup and efficiency of runs whose numbers of replicas differ", async () => {
    withTwoRuns();
    const { scaling, ...rest } = comparison([completed("r1", 0, 10), completed("r2", 1, 20)]);
    service.answers("GET /api/v1/comparisons", {
      ...rest,
      scaling: scaling.map((point, index) => ({ ...point, replicas: index + 1 })),
    });
    open(`${TWO}&tab=scaling`);

    expect(await screen.findByText(/A line joins runs/)).toBeTruthy();
    expect(screen.queryByText(/Scaling needs runs with more or fewer/)).toBeNull();
  });

  it("has scaling lines of seed groups while each run is drawn separately", async () => {
    withTwoRuns();
    open(`${TWO}&tab=scaling&group=each`);

    expect(await screen.findByRole("table", { name: "Speedup and efficiency" })).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>("combobox", { name: "Groups" }).value).toBe("Each run separately");
    expect(service.asked("GET /api/v1/comparisons").filter(({ url }) => url.includes("line="))).toEqual([]);
  });

  it("makes another run the baseline", async () => {
    withTwoRuns();
    open(`${TWO}&tab=trade-offs`);

    await user.click(await screen.findByRole("button", { name: "Make batchSize 20, seed 1 the baseline" }));

    await waitFor(() => {
      expect(service.asked("GET /api/v1/comparisons").at(-1)?.url).toMatch(/runs=r2.*r1/);
    });
  });

  it("continues without a run that cannot be read", async () => {
    withTwoRuns();
    open('?runs=["gone","r1","r2"]&tab=differences');

    expect((await screen.findByRole("alert")).textContent).toContain("They do not exist, or you may not see them.");
    expect(await screen.findByRole("table", { name: "Fields that differ" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Remove gone" })).toBeTruthy();
  });

  it("is linked from the runs that are chosen in the list", async () => {
    withTwoRuns();
    sessionStorage.setItem("equipoise.token", "eqp_secret");
    window.history.replaceState(null, "", "/runs");
    render(<App env="test" />);

    for (const box of await screen.findAllByRole("checkbox")) {
      await user.click(box);
    }
    const list = within(await screen.findByRole("main"));
    const link = await list.findByRole("link", { name: "Compare" });

    expect(decodeURIComponent(link.getAttribute("href") ?? "")).toContain('runs=["r1","r2"]');
  });
});

function completed(id: string, position: number, batchSize: number): Run {
  const run = runningRun();
  const { configuration } = run;
  return {
    ...run,
    id,
    position,
    label: `batchSize ${batchSize.toString()}, seed 1`,
    name: `${run.experimentName}: batchSize ${batchSize.toString()}, seed 1`,
    state: "COMPLETED",
    configuration: { ...configuration, training: { ...configuration.training, batchSize } },
  };
}

function subjects(runs: readonly Run[]): Schemas["ComparedSubjects"] {
  const sizes = runs.map((run) => run.configuration.training.batchSize.toString());
  return {
    items: runs.map(({ id, label, state, configuration }, group) => ({
      run: id,
      name: label,
      label: `batchSize ${sizes[group] ?? ""}`,
      group,
      state,
      seed: configuration.seed,
      replicas: configuration.workers.replicas,
      place: null,
    })),
    differences: [
      { path: "training.batchSize", name: "batchSize", written: true, values: sizes },
      { path: "checkpoint.every", name: "every", written: false, values: runs.map((_, index) => index.toString()) },
    ],
  };
}

function comparison(runs: readonly Run[]): Schemas["Comparison"] {
  return {
    baseline: runs[0]?.id ?? "",
    target: null,
    compared: "mean",
    groups: [],
    rankings: [],
    differences: [],
    scaling: runs.map((run) => ({
      line: `batchSize ${run.configuration.training.batchSize.toString()}`,
      replicas: run.configuration.workers.replicas,
      epoch: { seconds: ONE_SEED, speedup: ONE_SEED },
      training: null,
      target: null,
    })),
    runs: runs.map((run, group) => ({
      run: run.id,
      name: run.label,
      label: `batchSize ${run.configuration.training.batchSize.toString()}`,
      group,
      state: run.state,
      seed: run.configuration.seed,
      partitioning: run.configuration.partitioning,
      epochSeconds: 5,
      predictedEpochSeconds: null,
      predictionError: null,
      testAccuracy: 0.93,
      testLoss: 0.2,
      replicasIdentical: true,
      speedup: 1,
      shares: [],
      ranks: [],
      ratios: null,
      figures: FIGURES,
      elapsedSeconds: null,
      phases: null,
      curve: [
        {
          epoch: 1,
          seconds: 5,
          wallClockSeconds: null,
          bytes: 1_000,
          trainingLoss: 0.4,
          testAccuracy: 0.905,
          replicaAccuracy: null,
          testLoss: 0.2,
        },
      ],
    })),
  };
}

const ONE_SEED: Schemas["MeanEstimate"] = {
  count: 1,
  mean: 3,
  low: null,
  high: null,
  interval: "none",
  points: [3],
};

const FIGURES: Schemas["ComparedFigures"] = {
  bestAccuracy: 0.93,
  bestReplica: null,
  bestReplicaAccuracy: null,
  bytesSent: 1_000,
  bytesToTarget: null,
  communicationSeconds: 1,
  encodeSeconds: 0,
  finalAccuracy: 0.93,
  finalTestLoss: 0.2,
  finalTrainingLoss: 0.4,
  hiddenSeconds: 0,
  replicaAccuracy: null,
  samples: 1_000,
  secondsToTarget: null,
  synchronizationSeconds: 1,
  trainingSeconds: 5,
};
