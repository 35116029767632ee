import { render, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import type { Run } from "@/api/schemas";

import { App } from "./app";
import { SESSION, TestingService, runningRun } from "./testing-service";

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

describe("the model of a run", () => {
  let service: TestingService;

  beforeEach(() => {
    service = TestingService.withProject();
    service.lists("/api/v1/runs/r1/checkpoints", []);
    service.answers("GET /api/v1/session", SESSION);
  });

  function open(model: Run["model"]): void {
    service.hasRun({ ...runningRun(), model });
    window.history.replaceState(null, "", "/runs/r1?tab=files");
    render(<App env="test" />);
  }

  it("is a link, so that the browser streams it to the disk", async () => {
    open(MODEL);

    const link = await screen.findByRole("link", { name: "Model (safetensors)" });
    expect(link.getAttribute("href")).toBe("/api/v1/runs/r1/model");
    expect(link.hasAttribute("download")).toBe(true);
    expect(screen.getByText(/^After epoch 1 · test accuracy 97.5/)).toBeTruthy();
  });

  it("cannot be downloaded before there is one", async () => {
    open(null);

    expect(await screen.findByText(/The run stores it after the last epoch/)).toBeTruthy();
    expect(screen.queryByText("Model (safetensors)")).toBeNull();
  });
});
