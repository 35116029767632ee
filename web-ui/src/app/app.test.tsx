import { render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import { App } from "./app";
import { EXPERIMENT, PROJECT, TestingService, WORKER, failedRun, runningRun, summary, waitingRun } from "./testing-service";

const EXPERIMENTS = `/api/v1/projects/${PROJECT.id}/experiments`;
const TOKEN = "eqp_secret";

describe("the dashboard", () => {
  let service: TestingService;
  let user: ReturnType<typeof userEvent.setup>;

  beforeEach(() => {
    service = TestingService.withProject();
    user = userEvent.setup();
  });

  async function signIn(token = TOKEN): Promise<void> {
    render(<App />);
    await user.type(screen.getByLabelText("API token"), token);
    await user.click(screen.getByRole("button", { name: "Sign in" }));
  }

  it("signs in with the pasted token and lists what there is", async () => {
    service.lists(EXPERIMENTS, [EXPERIMENT]);
    service.hasRun(runningRun());
    service.lists("/api/v1/workers", [WORKER]);

    await signIn(`  ${TOKEN} `);

    const experiments = within(await screen.findByRole("table", { name: "Experiments" }));
    expect(texts(experiments.getAllByRole("cell"))).toEqual(["3", "2", expect.stringContaining("Jan 5, 2026")]);
    const runs = within(await screen.findByRole("table", { name: "Runs" }));
    expect(texts(runs.getAllByRole("cell"))).toEqual([
      "functionalpiecewise",
      "7",
      "Running",
      "epoch 2/2 · round 10/50",
      "5.00 s",
      "4.50 s−10.0 %",
      "93.1 %",
      "0.2431",
      "identical",
    ]);
    expect(runs.getByRole("progressbar", { name: "Progress of the run", value: { now: 60 } })).toBeTruthy();
    const workers = within(await screen.findByRole("table", { name: "Workers" }));
    expect(workers.getByRole("rowheader")).toHaveProperty("textContent", "north");
    expect(texts(workers.getAllByRole("cell")).slice(0, 4)).toEqual([
      "Busy",
      "host-aLinux 6.1, 8 processors, 16.0 GiB",
      "4",
      "2.31×",
    ]);
    expect(service.requests.every(({ headers }) => headers.get("Authorization") === `Bearer ${TOKEN}`)).toBe(true);
  });

  it("refuses a text that cannot be an API token", async () => {
    await signIn("eqj_join");

    expect(screen.getByText(/begins with eqp_/)).toBeTruthy();
    expect(service.requests).toEqual([]);
  });

  it("says how to get the first of everything", async () => {
    await signIn();

    expect(await screen.findByText(/No experiments yet/)).toHaveProperty(
      "textContent",
      `No experiments yet. POST a definition to ${EXPERIMENTS}.`,
    );
    expect(await screen.findByText(/No runs yet/)).toBeTruthy();
    expect(await screen.findByText(/No workers yet/)).toBeTruthy();
  });

  it("shows why a run waits and why another failed", async () => {
    service.lists("/api/v1/runs", [
      summary(waitingRun("2 of 3 workers are free")),
      summary({ ...failedRun("north was lost in round 12"), id: "r2" }),
    ]);

    await signIn();

    expect(await screen.findByText("Waiting: 2 of 3 workers are free")).toBeTruthy();
    expect(screen.getByText("Failed (worker): north was lost in round 12")).toBeTruthy();
  });

  it("opens a run to the figures of its ranks", async () => {
    service.hasRun(runningRun());
    await signIn();

    const name = /Details of mnist-heterogeneous.*seed 7/;
    (await screen.findByRole("button", { name, expanded: false })).focus();
    await user.keyboard("{Enter}");

    expect(screen.getByRole("button", { name, expanded: true })).toBeTruthy();
    const ranks = within(await screen.findByRole("table", { name: "Per-rank figures" }));
    const south = within(ranks.getByRole("rowheader", { name: "1 · south" }).closest("tr") ?? document.body);
    expect(south.getByRole("img", { name: "compute 3.00 s, transfer 0.500 s, wait 1.50 s" })).toBeTruthy();
    expect(texts(south.getAllByRole("cell"))).toEqual(["75.0 %", "", "3.00 s", "0.500 s", "1.50 s", "12.4 MB"]);
  });

  it("reads the figures of the ranks of no run but the opened one", async () => {
    const run = runningRun();
    service.hasRun(run);
    service.lists("/api/v1/runs", [summary(run), summary({ ...failedRun(""), id: "r2" })]);
    await signIn();

    const [first] = await screen.findAllByRole("button", { name: /Details of/ });
    expect(service.asked(`GET /api/v1/runs/${run.id}`)).toHaveLength(0);
    await user.click(first ?? document.body);

    await screen.findByRole("table", { name: "Per-rank figures" });
    expect(service.asked("GET /api/v1/runs/r2")).toHaveLength(0);
  });

  it("says why the details of a run could not be read", async () => {
    service.hasRun(runningRun());
    service.refuses("GET /api/v1/runs/r1", 503, "The database is starting.");
    await signIn();

    await user.click(await screen.findByRole("button", { name: /Details of/ }));

    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("The details of the run could not be read");
  });

  it("cancels a run after asking once more", async () => {
    service.hasRun(waitingRun("no workers"));
    service.answers("POST /api/v1/runs/r1/cancel", { ...waitingRun(""), state: "CANCELLED" });
    await signIn();
    await user.click(await screen.findByRole("button", { name: /Details of/ }));

    await user.click(await screen.findByRole("button", { name: "Cancel run" }));
    expect(service.asked("POST /api/v1/runs/r1/cancel")).toHaveLength(0);
    await user.click(screen.getByRole("button", { name: "Yes, cancel it" }));

    await waitFor(() => {
      expect(service.asked("POST /api/v1/runs/r1/cancel")).toHaveLength(1);
    });
  });

  it("shows what the service says when it cannot answer, beside what it could", async () => {
    service.refuses("GET /api/v1/workers", 503, "The database is starting.");
    service.hasRun(runningRun());

    await signIn();

    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("The workers could not be read");
    expect(alert.textContent).toContain("The database is starting.");
    expect(screen.getByRole("table", { name: "Runs" })).toBeTruthy();
  });

  it("keeps what it has read when the service goes away", async () => {
    service.lists("/api/v1/workers", [WORKER]);
    await signIn();
    await screen.findByRole("table", { name: "Workers" });

    service.isGone("GET /api/v1/workers");

    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("The service cannot be reached.");
    expect(screen.getByRole("table", { name: "Workers" })).toBeTruthy();
  });

  it("signs out when the token is refused, and says so", async () => {
    await signIn();
    await screen.findByText(/No workers yet/);

    service.refuses("GET /api/v1/runs", 401, "The token was revoked.");

    expect(await screen.findByText("The token was revoked.")).toBeTruthy();
    expect(screen.getByLabelText("API token")).toBeTruthy();
    expect(sessionStorage.length).toBe(0);
  });

  it("stays signed in when the page is loaded again, until the caller signs out", async () => {
    sessionStorage.setItem("equipoise.token", TOKEN);
    render(<App />);
    expect(await screen.findByText("notebook")).toBeTruthy();

    await user.click(screen.getByRole("button", { name: "Sign out" }));

    expect(screen.getByLabelText("API token")).toBeTruthy();
    expect(sessionStorage.length).toBe(0);
  });

  it("reads the runs of the project that was chosen", async () => {
    service.lists("/api/v1/projects", [PROJECT, { ...PROJECT, id: "p2", name: "Other" }]);
    service.lists("/api/v1/projects/p2/experiments", [EXPERIMENT]);
    await signIn();

    await user.selectOptions(await screen.findByLabelText("Project"), "Other");

    expect(await screen.findByRole("table", { name: "Experiments" })).toBeTruthy();
    expect(service.asked("GET /api/v1/runs").at(-1)?.url).toContain("project=p2");
  });
});

function texts(elements: readonly HTMLElement[]): (string | null)[] {
  return elements.map(({ textContent }) => textContent);
}
