import { render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import { App } from "./app";
import { TestingService } from "./testing-service";

describe("the documentation", () => {
  beforeEach(() => {
    TestingService.withProject();
    sessionStorage.setItem("equipoise.token", "eqp_secret");
  });

  function open(path: string): void {
    window.history.replaceState(null, "", path);
    render(<App env="test" />);
  }

  it("begins with the list of its pages, whose links lead on", async () => {
    open("/docs");

    expect(await screen.findByRole("heading", { level: 1, name: "Documentation" })).toBeTruthy();
    expect(document.title).toBe("Documentation · Equipoise");
    await userEvent.click(screen.getByRole("link", { name: "Data sets" }));

    expect(await screen.findByRole("heading", { level: 1, name: "Data sets" })).toBeTruthy();
    expect(window.location.pathname).toBe("/docs/datasets");
    await userEvent.click(screen.getByRole("link", { name: "All pages" }));
    expect(await screen.findByRole("heading", { level: 1, name: "Documentation" })).toBeTruthy();
  });

  it("shows tables and images, and hides comments", async () => {
    open("/docs/dashboard");

    const image = await screen.findByRole("img", { name: /Six runs of three methods/ });
    expect(image.getAttribute("src")).toContain("compare-trade-offs");
    expect(screen.getAllByRole("table")).not.toHaveLength(0);
    expect(screen.queryByText(/tried by hand/)).toBeNull();
  });

  it("opens at the heading that a page of the dashboard links to", async () => {
    open("/runs");

    await userEvent.click(await screen.findByRole("link", { name: "Documentation of this page" }));

    expect(await screen.findByRole("heading", { name: "What happens in a run" })).toBeTruthy();
    expect(window.location.hash).toBe("#what-happens-in-a-run");
    expect(screen.queryByRole("link", { name: "Documentation of this page" })).toBeNull();
  });

  it("keeps the focus on a link that leads to a heading of its page", async () => {
    open("/docs/methods");
    const link = await screen.findByText("run phase", { selector: "a" });

    await userEvent.click(link);

    await waitFor(() => {
      expect(window.location.hash).toBe("#run-phases");
    });
    expect(document.activeElement).toBe(link);
  });

  it("tells that a page does not exist", async () => {
    open("/docs/nothing");

    expect(await screen.findByText("The documentation has no page nothing.")).toBeTruthy();
  });
});
