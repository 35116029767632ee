import { render, screen, waitFor, within, type BoundFunctions, type queries } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import type { Schemas, Worker } from "@/api/schemas";

import { App } from "./app";
import {
  NO_HISTORY,
  SESSION,
  TestingService,
  WORKER,
  failedRun,
  runningRun,
  summary,
  waitingRun,
} from "./testing-service";

const TOKEN = "eqp_secret";

function placement(generation: number, profiles: readonly string[]): Schemas["Placement"] {
  return {
    id: generation,
    generation,
    placedAt: "2026-01-05T09:11:00Z",
    ranks: [{ rank: 0, worker: "w1", workerName: "north", share: 250, profiles: [...profiles] }],
  };
}

function line(id: number, text: string): Schemas["LogLine"] {
  return { id, at: "2026-01-05T09:11:00Z", rank: null, worker: null, text };
}

describe("the dashboard", () => {
  let service: TestingService;
  let user: ReturnType<typeof userEvent.setup>;

  beforeEach(() => {
    service = TestingService.withProject();
    user = userEvent.setup();
  });

  function open(path = "/runs"): void {
    window.history.replaceState(null, "", path);
    render(<App env="test" />);
  }

  function signIn(path = "/runs"): void {
    service.answers("GET /api/v1/session", SESSION);
    open(path);
  }

  describe("signing in", () => {
    it("takes name and password, and sends the CSRF token with changes", async () => {
      service.hasRun(waitingRun("no workers"));
      service.answers("POST /api/v1/runs/r1/cancel", { ...waitingRun(""), state: "CANCELLED" });
      open();

      await user.type(await screen.findByLabelText(/Name/), "ada");
      await user.type(screen.getByLabelText(/Password/), "correct horse");
      await user.click(screen.getByRole("button", { name: "Sign in" }));
      await chooseAction("Cancel");
      await user.click(await screen.findByRole("button", { name: "Cancel" }));

      await waitFor(() => {
        expect(service.asked("POST /api/v1/runs/r1/cancel")[0]?.headers.get("X-CSRF-Token")).toBe("c1");
      });
    });

    it("shows why it was rejected", async () => {
      service.rejects("POST /api/v1/session", 401, "Name or password is wrong.");
      open();

      await user.type(await screen.findByLabelText(/Name/), "ada");
      await user.type(screen.getByLabelText(/Password/), "wrong");
      await user.click(screen.getByRole("button", { name: "Sign in" }));

      expect(await screen.findByText("Name or password is wrong.")).toBeTruthy();
    });

    it("continues the session of the browser", async () => {
      service.answers("GET /api/v1/session", SESSION);
      open();

      expect(await screen.findByRole("heading", { name: "Runs" })).toBeTruthy();
    });

    it("takes a token, and rejects a text that cannot be one", async () => {
      open();
      await user.click(await screen.findByRole("button", { name: "Sign in with an API token" }));

      await user.type(screen.getByLabelText("API token"), "eqj_join");
      await user.click(screen.getByRole("button", { name: "Sign in" }));
      expect(screen.getByText(/begins with eqp_/)).toBeTruthy();

      await user.clear(screen.getByLabelText("API token"));
      await user.type(screen.getByLabelText("API token"), `  ${TOKEN} `);
      await user.click(screen.getByRole("button", { name: "Sign in" }));

      expect(await screen.findByRole("heading", { name: "Runs" })).toBeTruthy();
      expect(await service.asked("POST /api/v1/session")[0]?.json()).toEqual({ token: TOKEN });
    });

    it("says that a token is wrong, and stays in the form", async () => {
      service.rejects("POST /api/v1/session", 401, "The API token is invalid or has expired");
      open();
      await user.click(await screen.findByRole("button", { name: "Sign in with an API token" }));

      await user.type(screen.getByLabelText("API token"), TOKEN);
      await user.click(screen.getByRole("button", { name: "Sign in" }));

      expect(await screen.findByText("The API token is invalid or has expired")).toBeTruthy();
      expect(screen.getByLabelText<HTMLInputElement>("API token").value).toBe(TOKEN);
      expect(screen.queryByText("You have been signed out")).toBeNull();
      expect(JSON.stringify([{ ...sessionStorage }, { ...localStorage }])).not.toContain(TOKEN);
    });

    it("asks for a token first in a lab without users", async () => {
      service.answers("GET /api/v1/sign-in", { password: true, oidc: null, users: false });
      open();

      expect(await screen.findByLabelText("API token")).toBeTruthy();
      await user.click(screen.getByRole("button", { name: "Sign in with name and password" }));
      expect(screen.getByLabelText(/Password/)).toBeTruthy();
    });

    it("asks for name and password if the service does not tell the ways to sign in", async () => {
      service.isUnreachable("GET /api/v1/sign-in");
      open();

      expect(await screen.findByLabelText(/Password/)).toBeTruthy();
    });

    it("removes the code of a link from the address before the service answers", () => {
      service.holds("GET /api/v1/session", 200);
      open("/sign-in#code=eqc_once");
      expect(window.location.href).toBe(`${window.location.origin}/`);
    });

    it("sends the code of a link in the body alone", async () => {
      open("/sign-in#code=eqc_once");

      expect(await screen.findByRole("heading", { name: "Runs" })).toBeTruthy();
      const [request, ...others] = service.asked("POST /api/v1/session");
      expect(others).toHaveLength(0);
      expect(await request?.json()).toEqual({ code: "eqc_once" });
      expect(service.requests.some(({ url }) => url.includes("eqc_once"))).toBe(false);
      expect(JSON.stringify([{ ...sessionStorage }, { ...localStorage }])).not.toContain("eqc_once");
    });

    it("says that a link was used, and offers the other ways", async () => {
      service.rejects("POST /api/v1/session", 401, "The sign-in link was used or has expired");
      open("/sign-in#code=eqc_once");

      expect(await screen.findByText("You have not been signed in")).toBeTruthy();
      expect(screen.getByText("The sign-in link was used or has expired")).toBeTruthy();
      expect(await screen.findByLabelText(/Password/)).toBeTruthy();
    });

    it("keeps the session of the browser when a link is opened", async () => {
      service.answers("GET /api/v1/session", SESSION);
      open("/sign-in#code=eqc_once");

      expect(await screen.findByRole("heading", { name: "Runs" })).toBeTruthy();
      expect(service.asked("POST /api/v1/session")).toHaveLength(0);
    });

    it("exchanges the token that an older dashboard stored in the tab", async () => {
      sessionStorage.setItem("equipoise.token", TOKEN);
      open();

      expect(await screen.findByRole("heading", { name: "Runs" })).toBeTruthy();
      expect(await service.asked("POST /api/v1/session")[0]?.json()).toEqual({ token: TOKEN });
      expect(sessionStorage.length).toBe(0);
    });

    it("offers the identity provider if there is one", async () => {
      service.answers("GET /api/v1/sign-in", {
        password: true,
        oidc: "/oauth2/authorization/lab",
        users: true,
      });
      open();

      const link = await screen.findByRole("link", { name: "Sign in with the identity provider" });
      expect(link.getAttribute("href")).toBe("/oauth2/authorization/lab");
    });

    it("ends when the token is rejected, and says so", async () => {
      signIn();
      await screen.findByText("No runs yet");

      service.rejects("GET /api/v1/runs", 401, "The token was revoked.");

      expect(await screen.findByText("The token was revoked.")).toBeTruthy();
    });

    it("does not claim to have ended if the service did not answer", async () => {
      service.answers("GET /api/v1/session", SESSION);
      service.isUnreachable("DELETE /api/v1/session");
      open();

      await signOut();

      expect(await screen.findByText(/session may still be open/)).toBeTruthy();
      expect(screen.queryByText("You have been signed out")).toBeNull();
    });

    it("ends only when the service has answered", async () => {
      service.answers("GET /api/v1/session", SESSION);
      const release = service.holds("DELETE /api/v1/session", 204);
      open();

      await signOut();

      expect((await screen.findByRole("status")).textContent).toBe("Signing out");
      expect(screen.queryByLabelText(/Password/)).toBeNull();
      expect(service.asked("DELETE /api/v1/session")[0]?.headers.get("X-CSRF-Token")).toBe("c1");

      release();

      expect(await screen.findByLabelText(/Password/)).toBeTruthy();
      expect(screen.queryByText(/signed out/)).toBeNull();
    });

    it("ends without an error if the service had already ended the session", async () => {
      service.answers("GET /api/v1/session", SESSION);
      service.rejects("DELETE /api/v1/session", 401, "The session is over.");
      open();

      await signOut();

      expect(await screen.findByLabelText(/Password/)).toBeTruthy();
      expect(screen.queryByText(/signed out/)).toBeNull();
    });

    it("ends when the caller signs out", async () => {
      signIn();
      await signOut();

      expect(await screen.findByLabelText(/Password/)).toBeTruthy();
    });
  });

  describe("the runs", () => {
    it("are listed with state, progress, prediction and accuracy", async () => {
      service.hasRun(runningRun());
      signIn();

      const row = await firstRow();
      const cells = row.getAllByRole("cell").map(({ textContent }) => textContent);
      expect(row.getByRole("link", { name: "mnist-heterogeneous #1" }).getAttribute("href")).toContain("/runs/r1");
      expect(cells).toEqual(
        expect.arrayContaining(["epoch 2/2 · round 10/50", "4 s", "5.00 s", "4.50 s −10.0 %", "93.1 %"]),
      );
    });

    it("show why one waits, and why another failed", async () => {
      service.lists("/api/v1/runs", [
        summary(waitingRun("2 of 3 workers are free")),
        summary({ ...failedRun("north was lost in round 12"), id: "r2" }),
      ]);
      signIn();

      expect(await screen.findByText("1. 2 of 3 workers are free")).toBeTruthy();
      expect(screen.getByText("worker: north was lost in round 12")).toBeTruthy();
    });

    it("are requested as the address says", async () => {
      signIn('/runs?state=["FAILED"]&sort=testAccuracy&project=p1');
      await screen.findByText("No run matches");

      const urls = service.asked("GET /api/v1/runs").map(({ url }) => url);
      expect(urls.some((url) => /project=p1.*sort=testAccuracy.*state=FAILED/.test(url))).toBe(true);
    });

    it("are filtered while the user types on", async () => {
      signIn();

      await user.click(await screen.findByRole("textbox", { name: "Name contains" }));
      await user.keyboard("mn");
      await waitFor(() => {
        expect(window.location.search).toBe("?name=mn");
      });
      await user.keyboard("ist");

      await waitFor(() => {
        expect(service.asked("GET /api/v1/runs").some(({ url }) => url.includes("name=mnist"))).toBe(true);
      });
      expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Name contains" }).value).toBe("mnist");
    });

    it("are sorted by the service, through a column header", async () => {
      service.hasRun(runningRun());
      signIn();
      await firstRow();

      await user.click(screen.getByRole("button", { name: /Accuracy/ }));

      await waitFor(() => {
        expect(service.asked("GET /api/v1/runs").some(({ url }) => url.includes("sort=-testAccuracy"))).toBe(true);
      });
      expect(window.location.search).toContain("sort=-testAccuracy");
    });

    it("offer no actions without permission", async () => {
      service.answers("GET /api/v1/me", {
        name: "guest",
        account: null,
        administrator: false,
        everywhere: null,
        projects: { p1: "viewer" },
      });
      service.hasRun(runningRun());
      signIn();

      await user.click((await firstRow()).getByRole("checkbox"));

      expect(await screen.findByRole("button", { name: "Clear selection" })).toBeTruthy();
      expect(screen.queryByRole("button", { name: "Actions" })).toBeNull();
    });

    it("get and lose tags together, and keep their other tags", async () => {
      service.lists("/api/v1/runs", [
        summary({ ...runningRun(), tags: ["paper", "old"] }),
        summary({ ...failedRun("lost"), id: "r2", tags: ["old", "odd"] }),
      ]);
      service.answers("GET /api/v1/runs/r1", { ...runningRun(), tags: ["paper", "old", "newest"] });
      service.answers("GET /api/v1/runs/r2", { ...failedRun("lost"), id: "r2", tags: ["old", "odd"] });
      service.answers("PATCH /api/v1/runs/r1", {});
      service.answers("PATCH /api/v1/runs/r2", {});
      signIn();
      for (const row of await screen.findAllByRole("checkbox")) {
        await user.click(row);
      }
      await user.click(await screen.findByRole("button", { name: "Actions" }));
      await user.click(await screen.findByRole("menuitem", { name: "Change tags" }));

      await user.type(await screen.findByRole("combobox", { name: "Add to all" }), "figure-3{Enter}");
      await user.click(screen.getByRole("combobox", { name: "Remove from all" }));
      await user.click(await screen.findByRole("option", { name: "old" }));
      await user.click(screen.getByRole("button", { name: "Change tags" }));

      await waitFor(() => {
        expect(service.asked("PATCH /api/v1/runs/r2")).toHaveLength(1);
      });
      const [first] = service.asked("PATCH /api/v1/runs/r1");
      const [second] = service.asked("PATCH /api/v1/runs/r2");
      expect(await first?.json()).toEqual({ tags: ["paper", "newest", "figure-3"] });
      expect(await second?.json()).toEqual({ tags: ["odd", "figure-3"] });
    });

    it("stay in view when the service goes away", async () => {
      service.hasRun(runningRun());
      signIn();
      await firstRow();

      service.isUnreachable("GET /api/v1/runs");

      expect((await screen.findByRole("alert")).textContent).toContain("The service cannot be reached.");
      expect(screen.getByRole("link", { name: "mnist-heterogeneous #1" })).toBeTruthy();
    });
  });

  describe("one run", () => {
    it("shows where its ranks spend their time", async () => {
      service.hasRun(runningRun());
      signIn("/runs/r1?tab=time");

      expect(await screen.findByRole("heading", { name: "mnist-heterogeneous #1" })).toBeTruthy();
      const ranks = within(await screen.findByRole("table", { name: "Ranks" }));
      const south = within(ranks.getByRole("rowheader", { name: "1 · south" }).closest("tr") ?? document.body);
      expect(south.getAllByRole("cell").map(({ textContent }) => textContent)).toEqual([
        "75.0 %",
        "3.00 s",
        "0.000 s",
        "0.500 s",
        "1.50 s",
        "0.000 s",
        "0.000 s",
      ]);
      expect(screen.getByText(/does not set trace/)).toBeTruthy();
    });

    it("shows the ranks of each generation, with their profiles", async () => {
      service.hasRun(runningRun());
      service.answers("GET /api/v1/runs/r1/placements", {
        items: [placement(2, ["p7"]), placement(1, [])],
      });
      signIn("/runs/r1?tab=topology");

      const generations = within(await screen.findByRole("table", { name: "Ranks of each generation" }));
      expect(generations.getAllByRole("rowheader").map(({ textContent }) => textContent)).toEqual(["2", "1"]);
      const profile = generations.getByRole("link", { name: "its profile" });
      expect(decodeURIComponent(profile.getAttribute("href") ?? "")).toMatch(/^\/workers\/w1\?.*profile=\["p7"\]/);
    });

    it("shows the end of its log, and earlier lines on request", async () => {
      service.hasRun(runningRun());
      const path = "GET /api/v1/runs/r1/log";
      service.answers(path, { items: [line(7, "is RUNNING")], next: "before 7" });
      signIn("/runs/r1?tab=log");
      await screen.findByText("is RUNNING");

      service.answers(path, { items: [line(2, "is QUEUED")], next: null });
      await user.click(screen.getByRole("button", { name: "Earlier lines" }));

      await screen.findByText("is QUEUED");
      const lines = within(screen.getByRole("list", { name: "Lines of the log" })).getAllByRole("listitem");
      expect(lines.map(({ textContent }) => textContent.replace(/^[\d:]+service/, ""))).toEqual([
        "is QUEUED",
        "is RUNNING",
      ]);
      expect(screen.queryByRole("button", { name: "Earlier lines" })).toBeNull();
      expect(service.asked(path).at(-1)?.url).toContain("cursor=before%207");
    });

    it("shows its notes, and does not overwrite those of somebody else", async () => {
      const notes = { text: "# Baseline", author: "Ada", writtenAt: "2026-01-05T08:00:00Z" };
      const newer = { text: "# Better", author: "Ben", writtenAt: "2026-01-06T08:00:00Z" };
      service.hasRun({ ...runningRun(), notes });
      signIn("/runs/r1");

      expect(await screen.findByRole("heading", { name: "Baseline" })).toBeTruthy();
      await user.click(screen.getByRole("button", { name: "Edit the notes" }));
      service.answers("GET /api/v1/runs/r1", { ...runningRun(), notes: newer });
      await user.type(await screen.findByLabelText("Text"), " of the paper");
      await user.click(screen.getByRole("button", { name: "Save" }));

      expect(await screen.findByText(/^Ben has changed the notes meanwhile/)).toBeTruthy();
      expect(service.asked("PATCH /api/v1/runs/r1")).toHaveLength(0);
    });

    it("gets notes from an editor", async () => {
      const notes = { text: "Kept.", author: "Ada", writtenAt: "2026-01-05T08:00:00Z" };
      service.hasRun(runningRun());
      service.answers("PATCH /api/v1/runs/r1", { ...runningRun(), notes });
      signIn("/runs/r1");

      await user.click(await screen.findByRole("button", { name: "Add notes" }));
      await user.type(await screen.findByLabelText("Text"), "Kept.");
      service.answers("GET /api/v1/runs/r1", runningRun());
      await user.click(screen.getByRole("button", { name: "Save" }));
      await waitFor(() => {
        expect(screen.queryByRole("dialog")).toBeNull();
      });
      const written = service.asked("PATCH /api/v1/runs/r1")[0];
      expect(await written?.clone().json()).toEqual({ notes: "Kept." });
      expect(written?.headers.get("If-Match")).toBe(`"${String(runningRun().revision)}"`);
    });

    it("shows why it has failed, in words and with the code", async () => {
      service.hasRun(failedRun("north was lost in round 12"));
      signIn("/runs/r1");

      const failure = await screen.findByRole("alert");
      expect(failure.textContent).toContain("Failed: worker lost (cause: worker)");
      expect(failure.textContent).toContain("North was lost in round 12. Code: worker-lost.");
    });

    it("shows why it cannot be read", async () => {
      service.rejects("GET /api/v1/runs/gone", 404, "There is no run gone.");
      signIn("/runs/gone");

      expect((await screen.findByRole("alert")).textContent).toContain("There is no run gone.");
    });
  });

  it("tells the version of the service at the end of every page", async () => {
    signIn("/workers");

    expect((await screen.findByText("Equipoise 0.1.0, protocol 0.2")).closest("footer")).toBeTruthy();
  });

  it("lists the workers", async () => {
    service.lists("/api/v1/workers", [WORKER]);
    signIn("/workers");

    const workers = within(await screen.findByRole("table", { name: "Workers" }));
    expect(workers.getByRole("rowheader").textContent).toBe("north");
  });

  describe("a worker that another cannot reach", () => {
    const sentence = "south cannot be reached by north at 127.0.0.1:5702: connection refused.";
    const south: Worker = { ...WORKER, id: "w2", name: "south", dataAddress: "127.0.0.1:5702" };
    const north: Worker = {
      ...WORKER,
      probes: [
        {
          worker: "w2",
          address: "127.0.0.1:5702",
          failure: "connection refused",
          at: "2026-01-05T09:30:00Z",
          failures: 3,
          next: "2026-01-05T09:31:00Z",
        },
      ],
    };

    beforeEach(() => {
      service.lists("/api/v1/workers", [north, south]);
    });

    it("is marked in the list, with the reason", async () => {
      signIn("/workers");

      const mark = await screen.findByText("Unreachable");
      const row = within(mark.closest<HTMLElement>('[role="row"]') ?? document.body);
      expect(row.getByRole("rowheader").textContent).toBe("south");
      expect(mark.title).toBe(sentence);
    });

    it.each([north, south])("is named on the page of $name", async (worker) => {
      service.answers(`GET /api/v1/workers/${worker.id}`, worker);
      service.lists(`/api/v1/workers/${worker.id}/profiles`, []);
      service.answers(`GET /api/v1/workers/${worker.id}/history`, NO_HISTORY);
      signIn(`/workers/${worker.id}`);

      const alert = await screen.findByRole("alert");
      expect(alert.textContent).toContain("Runs do not get these workers together");
      expect(alert.textContent).toContain(sentence);
    });
  });

  it("shows that a page does not exist", async () => {
    signIn("/nowhere");

    expect(await screen.findByRole("heading", { name: "Page not found" })).toBeTruthy();
  });

  async function firstRow(): Promise<BoundFunctions<typeof queries>> {
    const link = await screen.findByRole("link", { name: /#1$/ });
    return within(link.closest<HTMLElement>('[role="row"]') ?? document.body);
  }

  async function signOut(): Promise<void> {
    await user.click(await screen.findByRole("button", { name: "notebook" }));
    await user.click(await screen.findByRole("menuitem", { name: "Sign out" }));
  }

  async function chooseAction(name: string): Promise<void> {
    await user.click((await firstRow()).getByRole("checkbox"));
    await user.click(await screen.findByRole("button", { name: "Actions" }));
    await user.click(await screen.findByRole("menuitem", { name }));
  }
});
