import { render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { servedAnywhere, servedBelow } from "@/api/testing-base";

import { App } from "./app";
import { SESSION, TestingService, runningRun } from "./testing-service";

describe("the dashboard of a service below a path", () => {
  let service: TestingService;

  beforeEach(() => {
    servedBelow("/labs/east/");
    service = TestingService.withProject();
  });

  afterEach(servedAnywhere);

  function open(path: string): void {
    window.history.replaceState(null, "", `/labs/east${path}`);
    render(<App env="test" />);
  }

  it("keeps its addresses and links below it", async () => {
    service.answers("GET /api/v1/session", SESSION);
    service.hasRun(runningRun());
    open("/");

    const run = await screen.findByRole("link", { name: "mnist-heterogeneous #1" });
    expect(window.location.pathname).toBe("/labs/east/runs");
    expect(run.getAttribute("href")).toBe("/labs/east/runs/r1");
    expect(screen.getByRole("link", { name: "Workers" }).getAttribute("href")).toBe("/labs/east/workers");

    await userEvent.click(run);

    await waitFor(() => {
      expect(window.location.pathname).toBe("/labs/east/runs/r1");
      expect(service.asked("GET /api/v1/runs/r1")).not.toHaveLength(0);
    });
  });

  it("downloads a model from below it", async () => {
    const kept = { epoch: 1, generation: 1, replica: null, accuracy: 0.9, loss: 0.1, bytes: 9, digest: "0f" };
    service.answers("GET /api/v1/session", SESSION);
    service.lists("/api/v1/runs/r1/checkpoints", []);
    service.hasRun({ ...runningRun(), model: { ...kept, keptAt: "2026-01-05T09:30:00Z" } });
    open("/runs/r1?tab=files");

    const link = await screen.findByRole("link", { name: "Model (safetensors)" });
    expect(link.getAttribute("href")).toBe("/labs/east/api/v1/runs/r1/model");
  });

  it("does not send the token of another service at the address", async () => {
    sessionStorage.setItem("equipoise.token", "eqp_elsewhere");
    open("/runs");

    expect(await screen.findByLabelText(/Password/)).toBeTruthy();
    expect(service.asked("POST /api/v1/session")).toHaveLength(0);
  });

  it("is signed in by a link below it", async () => {
    open("/sign-in#code=eqc_once");

    expect(await screen.findByRole("heading", { name: "Runs" })).toBeTruthy();
    expect(window.location.href).toBe(`${window.location.origin}/labs/east/runs`);
    expect(await service.asked("POST /api/v1/session")[0]?.json()).toEqual({ code: "eqc_once" });
  });

  it("names its path to new agents", async () => {
    service.answers("GET /api/v1/session", SESSION);
    open("/workers");

    expect((await screen.findByText(/equipoise agent --service/)).textContent).toContain(
      `--service ${window.location.origin}/labs/east --join-token`,
    );
  });
});
