import { render, screen, waitFor, within, type BoundFunctions, type queries } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import type { Caller, Schemas, Worker } from "@/api/schemas";
import { stubCanvas } from "@/shared/chart/testing-canvas";

import { App } from "./app";
import { CALLER, NO_HISTORY, TestingService, WORKER } from "./testing-service";

const JOIN_TOKEN: Schemas["JoinTokenEntry"] = {
  id: "j1",
  name: "rack",
  uses: 20,
  admitted: 3,
  createdAt: "2026-01-05T08:00:00Z",
  expiresAt: "2027-01-05T08:00:00Z",
  usedAt: null,
};

const NEWCOMER: Worker = { ...WORKER, id: "w2", name: "south", state: "IDLE", dataAddress: "10.0.0.2:5702" };

/** North with a probe of the newcomer. */
function north(failure: string | null): Worker {
  return {
    ...WORKER,
    sees: ["w1", "w2"],
    probes: [
      {
        worker: "w2",
        address: "10.0.0.2:5702",
        failure,
        at: "2026-01-05T09:30:00Z",
        failures: failure === null ? 0 : 1,
        next: "2026-01-05T09:31:00Z",
      },
    ],
  };
}

describe("workers", () => {
  let service: TestingService;
  let user: ReturnType<typeof userEvent.setup>;

  beforeEach(() => {
    service = TestingService.withProject();
    service.lists("/api/v1/workers", [north(null)]);
    service.lists("/api/v1/join-tokens", [JOIN_TOKEN]);
    service.answers(
      "POST /api/v1/join-tokens",
      { id: "j2", token: "eqj_1", uses: 1, expiresAt: "2027-01-05T08:00:00Z" },
      201,
    );
    user = userEvent.setup();
  });

  function open(path: string, caller: Partial<Caller> = administrator): void {
    service.answers("GET /api/v1/me", { ...CALLER, account: "u1", ...caller });
    sessionStorage.setItem("equipoise.token", "eqp_secret");
    window.history.replaceState(null, "", path);
    render(<App env="test" />);
  }

  const administrator = { administrator: true, everywhere: "administrator" } as const;

  /** Adds a machine whose worker, if there is one, has joined. */
  async function addMachine(...workers: readonly string[]): Promise<BoundFunctions<typeof queries>> {
    const token = { ...JOIN_TOKEN, id: "j2", uses: 1, admitted: workers.length };
    service.answers("GET /api/v1/join-tokens/j2", { token, workers });
    open("/workers");
    await user.click(await screen.findByRole("button", { name: "Add a machine" }));
    await user.click(await screen.findByRole("button", { name: "Make a join token" }));
    return within(await screen.findByRole("dialog"));
  }

  it("gives the line that starts an agent, and waits for the machine", async () => {
    const dialog = await addMachine();

    expect(await dialog.findByText(/EQUIPOISE_JOIN_TOKEN=eqj_1 .*equipoise agent/)).toBeTruthy();
    expect(await dialog.findByText("Waiting for the machine …")).toBeTruthy();
    await user.selectOptions(dialog.getByLabelText("Agent installed from"), "Debian package");
    expect(dialog.getByText(/systemctl enable --now equipoise-agent/)).toBeTruthy();
  });

  it("tells that the machine has joined and how many workers reach it", async () => {
    service.lists("/api/v1/workers", [north(null), { ...NEWCOMER, sees: ["w1", "w2"] }]);
    const dialog = await addMachine("w2");

    expect(await dialog.findByText(/joined; reached by 1 of 1 worker$/)).toBeTruthy();
    expect(dialog.getByRole("link", { name: "south" })).toBeTruthy();
    expect(dialog.queryByText(/Waiting for/)).toBeNull();
  });

  it("tells the address that failed and what to change", async () => {
    service.lists("/api/v1/workers", [north("connection timed out"), { ...NEWCOMER, sees: ["w1", "w2"] }]);
    const dialog = await addMachine("w2");

    const alert = await dialog.findByRole("alert");
    expect(alert.textContent).toContain("south cannot be reached by north at 10.0.0.2:5702: connection timed out.");
    expect(alert.textContent).toContain("Open the port of --data-port between the machines");
  });

  it("does not let users add machines or see join tokens", async () => {
    open("/workers", {});

    expect(await screen.findByRole("tab", { name: "Speed" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Add a machine" })).toBeNull();
    expect(screen.queryByRole("tab", { name: "Join tokens" })).toBeNull();
  });

  it("lets administrators revoke a join token", async () => {
    service.answers("DELETE /api/v1/join-tokens/j1", {}, 200);
    open("/workers");

    await user.click(await screen.findByRole("tab", { name: "Join tokens" }));
    expect(await screen.findByText("3 of 20")).toBeTruthy();
    expect(window.location.search).toContain("tab=tokens");
    await user.click(await screen.findByRole("button", { name: "Revoke the join token rack" }));
    await user.click(await screen.findByRole("button", { name: "Revoke" }));

    await waitFor(() => {
      expect(service.asked("DELETE /api/v1/join-tokens/j1")).toHaveLength(1);
    });
  });

  it("lists the workers by speed and offers to measure those without profile", async () => {
    const measured = {
      batch: 256,
      samplesPerSecond: 500,
      low: 480,
      high: 520,
      hostLoad: 100,
      measuredAt: "2026-01-05T09:00:00Z",
      stale: ["processors 8, now 16"],
    };
    service.lists("/api/v1/workers", [WORKER, NEWCOMER]);
    service.answers("GET /api/v1/workers/speeds", {
      network: "mnist-cnn",
      networks: ["mnist-cnn", "letter-mlp"],
      items: [
        { worker: "w1", name: "north", measured },
        { worker: "w2", name: "south", measured: null },
      ],
    });
    open("/workers?tab=speed");

    const [, fast, , slow] = within(await screen.findByRole("table", { name: "Speeds" })).getAllByRole("row");
    expect(fast?.textContent).toContain("500 (480 to 520)");
    expect(screen.getByText("Stale: processors 8, now 16. Measure it again.")).toBeTruthy();
    expect(slow?.textContent).toContain("no profile");
    expect(await within(slow ?? document.body).findByRole("button", { name: "Measure a profile" })).toBeTruthy();

    service.holds("GET /api/v1/workers/speeds", 200);
    const choice = screen.getByLabelText<HTMLSelectElement>("Network");
    await user.selectOptions(choice, "letter-mlp");
    await waitFor(() => {
      expect(service.asked("GET /api/v1/workers/speeds").at(-1)?.url).toContain("network=letter-mlp");
    });
    expect(document.activeElement).toBe(choice);
    expect(choice.value).toBe("letter-mlp");
    expect(screen.queryByRole("table", { name: "Speeds" })).toBeNull();
  });

  it("shows the history of a worker over the chosen time", async () => {
    stubCanvas();
    const at = "2026-01-05T09:00:00Z";
    service.answers("GET /api/v1/workers/w1", WORKER);
    service.lists("/api/v1/workers/w1/profiles", []);
    service.answers("GET /api/v1/workers/w1/history", {
      ...NO_HISTORY,
      load: [
        { at: "2026-01-05T08:00:00Z", mean: 1, least: 1, greatest: 1 },
        { at, mean: 2, least: 1, greatest: 3 },
      ],
      states: [
        { from: NO_HISTORY.from, to: "2026-01-05T03:30:00Z", state: "IDLE", cordon: "OPEN" },
        { from: "2026-01-05T03:30:00Z", to: NO_HISTORY.to, state: "LOST", cordon: "CORDONED" },
      ],
    });
    open("/workers/w1");

    expect(await screen.findByRole("img", { name: /^States: Idle 75.* %, Lost, cordoned 25.* %$/ })).toBeTruthy();
    expect(screen.getByRole("img", { name: "Load over hours from now" })).toBeTruthy();
    expect(screen.getByText("Used memory: the worker has reported none in this time.")).toBeTruthy();

    await user.selectOptions(screen.getByLabelText("Length of the history"), "Last week");
    await waitFor(() => {
      expect(service.asked("GET /api/v1/workers/w1/history").at(-1)?.url).toContain("buckets=168");
    });
    expect(window.location.search).toContain("history=week");
  });
});
