import { render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import type { Problem, Schemas } from "@/api/schemas";
import { SKELETON } from "@/features/plan/skeleton";
import { SERVED } from "@/features/plan/testing-schema";

import { App } from "./app";
import { CALLER, EXPERIMENT, PROJECT, TestingService, runningRun, summary } from "./testing-service";

const DEFINITION = { apiVersion: "equipoise/v1", name: "rings", topology: "all-reduce", training: { epochs: 5 } };

const ENTRY: Schemas["Plan.Entry"] = {
  tie: 2,
  label: "bsp over ring, equal shares, 2 replicas",
  own: true,
  settings: [],
  method: {
    synchronization: { kind: "bsp" },
    topology: { kind: "all-reduce", algorithm: "ring", order: "by-rank" },
    compression: { kind: "none" },
  },
  partitioning: { kind: "equal" },
  replicas: 2,
  epochSeconds: 4,
  epochSecondsLow: 3.64,
  epochSecondsHigh: 4.4,
  computeSeconds: 1,
  exchangeSeconds: 3,
  uncertainty: 0.1,
  bytes: 2_000_000,
  learning: null,
  secondsToTarget: null,
  secondsToTargetLow: null,
  secondsToTargetHigh: null,
  ranks: [{ rank: 0, worker: "north", share: 500, seconds: { computeSeconds: 1, transferSeconds: 1, waitSeconds: 2 } }],
  batchCounts: [],
  reason: "communication is 75 % of a round",
  doubts: ["the links were not measured"],
  trust: { runs: 0, meanAbsoluteError: null },
};

const PLAN: Schemas["Plan"] = {
  advice: "One worker alone is fastest.",
  target: 0.95,
  considered: 40,
  tied: 1,
  ranking: [
    {
      ...ENTRY,
      tie: 1,
      label: "one worker alone",
      own: false,
      settings: ["workers.replicas=1"],
      epochSeconds: 6,
      epochSecondsLow: 5.45,
      epochSecondsHigh: 6.6,
      computeSeconds: 6,
      exchangeSeconds: 0,
      bytes: 0,
      secondsToTarget: 60,
    },
    ENTRY,
  ],
  leftOut: ["south has no profile of mnist-cnn"],
  trust: { runs: 12, meanAbsoluteError: 0.05, kinds: [], visibleRuns: [] },
};

describe("the plan", () => {
  let service: TestingService;
  let user: ReturnType<typeof userEvent.setup>;

  beforeEach(() => {
    service = TestingService.withProject();
    service.answers("GET /api/v1/schema/definition", SERVED);
    service.lists("/api/v1/presets", [
      { name: "rings", title: "Five rings", about: "", published: [], source: [], scales: { small: {}, full: {} } },
    ]);
    service.answers("GET /api/v1/presets/rings", { name: "rings", scale: "small", definitions: [DEFINITION] });
    service.lists("/api/v1/projects/p1/experiments", [EXPERIMENT]);
    service.answers("GET /api/v1/experiments/e1", experiment(), 200, { ETag: '"3"' });
    service.answers("POST /api/v1/experiments/validate", { configurations: [runningRun().configuration] });
    service.answers("POST /api/v1/plans", PLAN);
    user = userEvent.setup();
    sessionStorage.setItem("equipoise.token", "eqp_secret");
  });

  function open(path: string): () => void {
    window.history.replaceState(null, "", path);
    return render(<App env="test" />).unmount;
  }

  function experiment(): Schemas["Experiment"] {
    return {
      ...EXPERIMENT,
      definition: DEFINITION,
      configurations: [],
      definedAt: EXPERIMENT.createdAt,
      priority: 0,
      notes: null,
      revision: EXPERIMENT.version,
    };
  }

  async function text(): Promise<string> {
    return (await screen.findByRole("textbox", { name: "Definition, as YAML or JSON" })).textContent;
  }

  async function sent(operation: string): Promise<string> {
    await waitFor(() => {
      expect(service.asked(operation)).not.toHaveLength(0);
    });
    return (await service.asked(operation).at(-1)?.clone().text()) ?? "";
  }

  it("is offered when there are no runs", async () => {
    open("/runs");

    await user.click(await screen.findByRole("link", { name: "Plan a run" }));

    expect(await screen.findByRole("heading", { name: "Plan" })).toBeTruthy();
    expect(screen.getByText(/Choose a preset or an experiment/)).toBeTruthy();
  });

  it("begins with the chosen preset", async () => {
    open("/plan");
    await screen.findByRole("option", { name: "Five rings" });
    await user.selectOptions(screen.getByLabelText("Preset"), "rings");

    expect(await screen.findByText("The definition is valid and expands to 1 run.")).toBeTruthy();
    expect(await text()).toContain("topology: all-reduce");
    expect(window.location.search).toContain("preset=rings");
    expect(await sent("POST /api/v1/experiments/validate")).toContain("name: rings\n");
    expect(service.asked("POST /api/v1/experiments/validate")[0]?.headers.get("Content-Type")).toBe("application/yaml");
  });

  it("offers an example in the empty editor, which becomes the definition", async () => {
    open("/plan");

    expect(await text()).toContain("name: first-experiment");
    expect(service.asked("POST /api/v1/experiments/validate")).toHaveLength(0);
    await user.click(screen.getByRole("button", { name: "Start from this" }));

    expect(await screen.findByText("The definition is valid and expands to 1 run.")).toBeTruthy();
    expect(await sent("POST /api/v1/experiments/validate")).toBe(SKELETON);
    expect(screen.queryByRole("button", { name: "Start from this" })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole("textbox", { name: /Definition/ }));
  });

  it("links the empty editor to the documentation", async () => {
    open("/plan");

    await user.click(await screen.findByRole("link", { name: "How to write one" }));

    expect(await screen.findByRole("heading", { name: "Run a definition" })).toBeTruthy();
    expect(window.location.pathname).toBe("/docs/comparison");
  });

  it("shows the errors that the service finds, with their lines", async () => {
    const problem: Problem = {
      type: "urn:equipoise:problem:invalid-definition",
      code: "invalid-definition",
      status: 400,
      title: "Invalid",
      detail: "The definition is invalid.",
      instance: "",
      errors: [{ pointer: "/training/epochs", rule: "must be from 1 to 3", value: 5 }],
    };
    service.answers("POST /api/v1/experiments/validate", problem, 400);
    open("/plan?preset=rings");

    expect(await screen.findByRole("button", { name: "Line 4: /training/epochs must be from 1 to 3" })).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Queue" }).disabled).toBe(true);
  });

  it("ranks configurations, and the definition takes the chosen one", async () => {
    open("/plan?preset=rings&target=0.95");
    await screen.findByText(/The definition is valid/);
    await user.click(screen.getByRole("button", { name: "Predict and rank" }));

    const ranked = within(await screen.findByRole("table", { name: "Configurations" }));
    expect(ranked.getAllByRole("rowheader").map(({ textContent }) => textContent.trim())).toEqual([
      "1. one worker alone",
      "2. bsp over ring, equal shares, 2 replicas as submitted",
    ]);
    expect(ranked.getByText("3.64 s to 4.40 s")).toBeTruthy();
    expect(screen.getByText("south has no profile of mnist-cnn")).toBeTruthy();
    expect(await sent("POST /api/v1/plans")).toContain("target: 0.95");

    await user.click(ranked.getByRole("button", { name: "Choose one worker alone" }));

    await waitFor(async () => {
      expect(await text()).toContain("workers: { replicas: 1 }");
    });
    expect(ranked.getByRole("button", { name: "Choose one worker alone", pressed: true })).toBeTruthy();
  });

  it("sorts the configurations by the order in the address", async () => {
    open("/plan?preset=rings");
    await screen.findByText(/The definition is valid/);
    await user.click(screen.getByRole("button", { name: "Predict and rank" }));
    await user.selectOptions(await screen.findByLabelText("Order"), "epoch");

    await waitFor(() => {
      expect(screen.getAllByRole("rowheader")[0]?.textContent).toContain("2. bsp over ring");
    });
    expect(window.location.search).toContain("order=epoch");
  });

  it("queues the run with name and tags, and opens it", async () => {
    service.hasRun(runningRun());
    service.answers("POST /api/v1/projects/p1/experiments", { ...experiment(), id: "e2", version: 1 }, 201);
    service.answers("POST /api/v1/experiments/e2/runs", { items: [summary(runningRun())] }, 202);
    service.answers("PATCH /api/v1/runs/r1", runningRun());
    open("/plan?preset=rings");
    await screen.findByText(/The definition is valid/);
    await user.type(screen.getByLabelText("Name of the experiment"), "!");
    await user.type(screen.getByRole("combobox", { name: "Tags" }), "baseline{Enter}");
    await user.click(await screen.findByRole("button", { name: "Queue 1 run" }));

    expect(await screen.findByRole("heading", { name: "mnist-heterogeneous #1" })).toBeTruthy();
    expect(await sent("POST /api/v1/projects/p1/experiments")).toContain("name: rings!");
    expect(JSON.parse(await sent("PATCH /api/v1/runs/r1"))).toEqual({ tags: ["baseline"] });
  });

  it("retries with the same idempotency key after a failure", async () => {
    service.answers("POST /api/v1/projects/p1/experiments", { ...experiment(), id: "e2" }, 201);
    service.rejects("POST /api/v1/experiments/e2/runs", 409, "The project queues as many runs as it may.");
    open("/plan?preset=rings");
    await screen.findByText(/The definition is valid/);
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect((await screen.findByRole("alert")).textContent).toContain("The project queues as many runs as it may.");
    await user.click(screen.getByRole("button", { name: "Queue 1 run" }));

    await waitFor(() => {
      expect(service.asked("POST /api/v1/projects/p1/experiments")).toHaveLength(2);
    });
    const [first, second] = service
      .asked("POST /api/v1/projects/p1/experiments")
      .map(({ headers }) => headers.get("Idempotency-Key"));
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first);
  });

  it("saves the next version of the experiment that was read", async () => {
    service.answers("PUT /api/v1/experiments/e1", { ...experiment(), version: 4 });
    open("/plan?experiment=e1");
    await screen.findByText(/The definition is valid/);
    await user.type(screen.getByRole("combobox", { name: "Seeds" }), "1{Enter}");
    await screen.findByText(/The definition is valid/);
    await user.click(screen.getByRole("button", { name: "Save without runs" }));

    expect(await sent("PUT /api/v1/experiments/e1")).toContain("seeds:");
    expect(service.asked("PUT /api/v1/experiments/e1")[0]?.headers.get("If-Match")).toBe('"3"');
    expect(service.asked("POST /api/v1/experiments/e1/runs")).toHaveLength(0);
  });

  it("does not overwrite a version that is newer than the draft", async () => {
    service.rejects("PUT /api/v1/experiments/e1", 412, "Somebody else was quicker.");
    const leave = open("/plan?experiment=e1");
    await screen.findByText(/The definition is valid/);
    leave();
    service.answers("GET /api/v1/experiments/e1", { ...experiment(), version: 4 }, 200, { ETag: '"4"' });
    open("/plan?experiment=e1");
    await screen.findByText(/The definition is valid/);
    await user.click(await screen.findByRole("button", { name: "Save without runs" }));

    expect((await screen.findByRole("alert")).textContent).toContain("Somebody else was quicker.");
    expect(service.asked("PUT /api/v1/experiments/e1")[0]?.headers.get("If-Match")).toBe('"3"');

    service.answers("PUT /api/v1/experiments/e1", { ...experiment(), version: 5 });
    await user.selectOptions(screen.getByLabelText("Experiment"), "");
    await user.selectOptions(screen.getByLabelText("Experiment"), "e1");
    await screen.findByRole("option", { name: /Next version/ });
    await user.click(screen.getByRole("button", { name: "Save without runs" }));

    await waitFor(() => {
      expect(service.asked("PUT /api/v1/experiments/e1").at(-1)?.headers.get("If-Match")).toBe('"4"');
    });
  });

  it("restores the draft when the page is reloaded", async () => {
    const leave = open("/plan?preset=rings");
    await screen.findByText(/The definition is valid/);
    await user.type(screen.getByLabelText("Name of the experiment"), "-mine");
    leave();
    open("/plan?preset=rings");

    await waitFor(async () => {
      expect(await text()).toContain("name: rings-mine");
    });
  });

  it("offers no queuing to viewers", async () => {
    service.answers("GET /api/v1/me", { ...CALLER, projects: { [PROJECT.id]: "viewer" } });
    open("/plan?preset=rings");
    await screen.findByText(/The definition is valid/);

    expect(screen.getByText(/requires the role editor/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: /Queue/ })).toBeNull();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Predict and rank" }).disabled).toBe(false);
  });
});
