import { render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Run } from "@/api/schemas";

import { App } from "./app";
import { TestingService, runningRun } from "./testing-service";

const MODEL: NonNullable<Run["model"]> = {
  epoch: 1,
  generation: 1,
  replica: null,
  accuracy: 0.975,
  loss: 0.1,
  bytes: 2_000_000,
  digest: "0f0f",
  keptAt: "2026-01-05T09:30:00Z",
};

const DOWNLOAD = "GET /api/v1/runs/r1/model";

describe("the model of a run", () => {
  let service: TestingService;
  let saved: string[];

  beforeEach(() => {
    service = TestingService.withProject();
    service.lists("/api/v1/runs/r1/checkpoints", []);
    saved = [];
    vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:model");
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
  });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  function open(model: Run["model"]): void {
    service.hasRun({ ...runningRun(), model });
    window.history.replaceState(null, "", "/runs/r1?tab=files");
    render(<App env="test" />);
  }

  function openWithToken(model: Run["model"]): void {
    sessionStorage.setItem("equipoise.token", "eqp_secret");
    open(model);
  }

  it("is a link for a session, so that the browser streams it to the disk", async () => {
    service.answers("GET /api/v1/session", { name: "ada", expiresAt: "2026-01-06T00:00:00Z", csrfToken: "c1" });
    open(MODEL);

    const link = await screen.findByRole("link", { name: "Model (safetensors)" });
    expect(link.getAttribute("href")).toBe("/api/v1/runs/r1/model");
    expect(link.hasAttribute("download")).toBe(true);
    expect(screen.getByText(/^After epoch 1 · test accuracy 97.5/)).toBeTruthy();
  });

  it("is requested with the token, and saved under the name that the service gives", async () => {
    service.answers(DOWNLOAD, {}, 200, { "Content-Disposition": 'attachment; filename="digits.safetensors"' });
    openWithToken(MODEL);

    await userEvent.click(await screen.findByRole("button", { name: "Model (safetensors)" }));

    await waitFor(() => {
      expect(saved).toEqual(["digits.safetensors"]);
    });
    expect(service.asked(DOWNLOAD)[0]?.headers.get("Authorization")).toBe("Bearer eqp_secret");
  });

  it("is saved under the id of the run if the service gives no name", async () => {
    service.answers(DOWNLOAD, {});
    openWithToken(MODEL);

    await userEvent.click(await screen.findByRole("button", { name: "Model (safetensors)" }));

    await waitFor(() => {
      expect(saved).toEqual(["run-r1.safetensors"]);
    });
  });

  it("is left to the command line if a page with a token cannot hold it", async () => {
    openWithToken({ ...MODEL, bytes: 256_000_001 });

    expect(await screen.findByText("equipoise runs model r1")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Model (safetensors)" })).toBeNull();
  });

  it("is not saved if the service rejects the download, and the page says why", async () => {
    service.rejects(DOWNLOAD, 404, "The run r1 has no model.");
    openWithToken(MODEL);

    await userEvent.click(await screen.findByRole("button", { name: "Model (safetensors)" }));

    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("Model (safetensors) could not be downloaded");
    expect(alert.textContent).toContain("The run r1 has no model.");
    expect(saved).toEqual([]);
  });

  it("cannot be downloaded before there is one", async () => {
    openWithToken(null);

    expect(await screen.findByText(/The run stores it after the last epoch/)).toBeTruthy();
    expect(screen.queryByText("Model (safetensors)")).toBeNull();
  });
});
