import { render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import type { Caller, Schemas, Token, User } from "@/api/schemas";

import { App } from "./app";
import { CALLER, PROJECT, TestingService } from "./testing-service";

const TOKEN: Token = {
  id: "t1",
  name: "old notebook",
  user: "u1",
  project: null,
  role: "viewer",
  token: null,
  createdAt: "2026-01-05T08:00:00Z",
  expiresAt: null,
  usedAt: null,
};

const WEBHOOK: Schemas["Webhook"] = {
  id: "w1",
  project: PROJECT.id,
  name: "chat",
  url: "https://hooks.example/room",
  events: ["run.ended"],
  enabled: true,
  disabledReason: null,
  failures: 0,
  createdAt: "2026-01-05T08:00:00Z",
  secret: null,
};

const ANN: User = {
  id: "u2",
  name: "Ann",
  foreign: false,
  administrator: false,
  disabled: false,
  createdAt: "2026-01-05T08:00:00Z",
  signedInAt: null,
};

const ENTRY: Schemas["AuditEntry"] = {
  id: 7,
  at: "2026-01-05T08:00:00Z",
  actor: "Ada",
  user: "u1",
  token: null,
  action: "member-set",
  kind: "user",
  subject: "u2",
  project: PROJECT.id,
  detail: { role: "editor" },
};

describe("account and lab", () => {
  let service: TestingService;
  let user: ReturnType<typeof userEvent.setup>;

  beforeEach(() => {
    service = TestingService.withProject();
    service.lists("/api/v1/tokens", [TOKEN]);
    service.lists("/api/v1/users", [ANN]);
    service.answers("GET /api/v1/audit", { items: [ENTRY], next: "c7" });
    service.answers("GET /api/v1/projects/p1", PROJECT);
    service.answers("GET /api/v1/projects/p1/members", {
      items: [{ user: "u3", name: "Ben", role: "viewer", since: PROJECT.createdAt }],
    });
    service.answers("GET /api/v1/projects/p1/webhooks", { items: [WEBHOOK] });
    service.answers("GET /api/v1/projects/p1/usage", {
      quota: { ...PROJECT.quota, replicasAtOnce: 8 },
      replicasAtOnce: 2,
      queuedRuns: 0,
      workerMinutesAWeek: 5,
      storedBytes: 0,
    });
    user = userEvent.setup();
  });

  function open(path: string, caller: Partial<Caller> = {}): void {
    service.answers("GET /api/v1/me", { ...CALLER, account: "u1", ...caller });
    sessionStorage.setItem("equipoise.token", "eqp_secret");
    window.history.replaceState(null, "", path);
    render(<App env="test" />);
  }

  const administrator = { administrator: true, everywhere: "administrator" } as const;

  it("shows the text of a new token once, and errors at their field", async () => {
    service.answers(
      "POST /api/v1/tokens",
      {
        type: "t",
        code: "invalid-request",
        status: 400,
        title: "Invalid",
        detail: "Invalid",
        instance: "i",
        errors: [{ pointer: "/name", rule: "is taken", value: "ci" }],
      },
      400,
    );
    open("/account");
    await user.click(await screen.findByRole("button", { name: "Make a token" }));
    await user.type(await screen.findByLabelText(/^Name/), "ci");
    await user.click(screen.getByRole("button", { name: "Make" }));
    expect(await screen.findByText("Is taken.")).toBeTruthy();

    service.answers("POST /api/v1/tokens", { ...TOKEN, id: "t2", token: "eqp_new" }, 201);
    await user.click(screen.getByRole("button", { name: "Make" }));

    expect(await screen.findByText("eqp_new")).toBeTruthy();
    expect(screen.getByText(/will not be shown again/)).toBeTruthy();
    await user.click(within(screen.getByRole("dialog")).getByText("Close"));
    await waitFor(() => {
      expect(screen.queryByText("eqp_new")).toBeNull();
    });
  });

  it("revokes a token after a confirmation", async () => {
    service.answers("DELETE /api/v1/tokens/t1", {});
    open("/account");

    await user.click(await screen.findByRole("button", { name: "Revoke the token old notebook" }));
    expect(service.asked("DELETE /api/v1/tokens/t1")).toHaveLength(0);
    await user.click(await screen.findByRole("button", { name: "Revoke" }));

    await waitFor(() => {
      expect(service.asked("DELETE /api/v1/tokens/t1")).toHaveLength(1);
    });
  });

  it("does not send a mistyped new password", async () => {
    open("/account");
    await user.type(await screen.findByLabelText(/^Old password/), "old");
    await user.type(screen.getByLabelText(/^New password \*/), "correct horse");
    await user.type(screen.getByLabelText(/^Repeat the new password/), "correct house");
    await user.click(screen.getByRole("button", { name: "Change the password" }));

    expect(await screen.findByText("The passwords differ.")).toBeTruthy();
    expect(service.asked("PUT /api/v1/me/password")).toHaveLength(0);
  });

  it("lets only owners change a project", async () => {
    open("/lab/projects/p1", { projects: { p1: "owner" } });
    service.answers("PUT /api/v1/projects/p1/members/u3", {
      user: "u3",
      name: "Ben",
      role: "editor",
      since: PROJECT.createdAt,
    });

    await user.selectOptions(await screen.findByLabelText("Role of Ben"), "Editor");

    await waitFor(() => {
      expect(service.asked("PUT /api/v1/projects/p1/members/u3")).toHaveLength(1);
    });
    expect(await screen.findByText("2 of 8, 25.0 %")).toBeTruthy();
    expect(await screen.findByText("Member set")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Set the quota" })).toBeNull();
  });

  it("offers a viewer no change of a project", async () => {
    open("/lab/projects/p1", { projects: { p1: "viewer" } });

    expect(await screen.findByText("Ben")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Rename" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Add a member" })).toBeNull();
    expect(service.asked("GET /api/v1/audit")).toHaveLength(0);
    expect(service.asked("GET /api/v1/projects/p1/webhooks")).toHaveLength(0);
  });

  it("shows the secret of a new webhook once", async () => {
    service.answers("POST /api/v1/projects/p1/webhooks", { ...WEBHOOK, id: "w2", secret: "whsec_new" }, 201);
    open("/lab/projects/p1", { projects: { p1: "owner" } });

    await user.click(await screen.findByRole("button", { name: "Make a webhook" }));
    await user.type(await screen.findByLabelText(/^Name/), "alarm");
    await user.type(screen.getByLabelText(/^URL/), "https://hooks.example/alarm");
    await user.click(screen.getByLabelText("A worker was lost"));
    await user.click(screen.getByRole("button", { name: "Make" }));

    expect(await screen.findByText("whsec_new")).toBeTruthy();
    expect(screen.getByText("Copy the secret now. It will not be shown again.")).toBeTruthy();
    expect(await service.asked("POST /api/v1/projects/p1/webhooks")[0]?.clone().json()).toEqual({
      name: "alarm",
      url: "https://hooks.example/alarm",
      events: ["run.ended", "worker.lost"],
      secret: null,
    });
  });

  it("shows the deliveries of a webhook and sends one again", async () => {
    const delivery: Schemas["WebhookDelivery"] = {
      id: "d1",
      type: "run.ended",
      state: "failed",
      createdAt: "2026-01-05T08:00:00Z",
      attempts: 9,
      dueAt: null,
      attemptedAt: "2026-01-05T17:00:00Z",
      status: 500,
      error: "the receiver answered 500",
    };
    const resend = "/api/v1/projects/p1/webhooks/w1/deliveries/d1/resend";
    service.lists("/api/v1/projects/p1/webhooks/w1/deliveries", [delivery]);
    service.answers(`POST ${resend}`, { ...delivery, state: "pending", attempts: 0 }, 202);
    open("/lab/projects/p1", { projects: { p1: "owner" } });

    await user.click(await screen.findByRole("button", { name: "Deliveries of chat" }));
    expect(await screen.findByText("the receiver answered 500 (9 attempts)")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: /^Send again run.ended/ }));

    await waitFor(() => {
      expect(service.asked(`POST ${resend}`)).toHaveLength(1);
    });
  });

  it("tells why the service has disabled a webhook, and enables it", async () => {
    const disabled = { ...WEBHOOK, enabled: false, disabledReason: "The receiver answered 410" };
    service.answers("GET /api/v1/projects/p1/webhooks", { items: [disabled] });
    service.answers("PATCH /api/v1/projects/p1/webhooks/w1", WEBHOOK);
    open("/lab/projects/p1", { projects: { p1: "owner" } });

    expect(await screen.findByText("Disabled: The receiver answered 410")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Enable the webhook chat" }));
    await user.click(await screen.findByRole("button", { name: "Enable" }));

    await waitFor(async () => {
      expect(await service.asked("PATCH /api/v1/projects/p1/webhooks/w1")[0]?.clone().json()).toEqual({
        enabled: true,
      });
    });
  });

  it("lets administrators disable a user, and shows how an agent joins", async () => {
    service.answers("PATCH /api/v1/users/u2", { ...ANN, disabled: true });
    open("/lab/users", administrator);

    await user.click(await screen.findByRole("button", { name: "Disable Ann" }));
    await user.click(await screen.findByRole("button", { name: "Disable" }));
    await waitFor(async () => {
      expect(await service.asked("PATCH /api/v1/users/u2")[0]?.clone().json()).toEqual({ disabled: true });
    });
  });

  it("pages through the audit by the address", async () => {
    open("/lab/audit", administrator);
    await user.click(await screen.findByRole("link", { name: "Older" }));

    expect(await screen.findByRole("link", { name: "Newest" })).toBeTruthy();
    expect(window.location.search).toContain("older=c7");
    const last = service.asked("GET /api/v1/audit").at(-1);
    expect(new URL(last?.url ?? "").searchParams.get("cursor")).toBe("c7");
  });

  it("lists in the menu only pages that the caller may see", async () => {
    open("/runs");
    await user.click(await screen.findByRole("button", { name: "notebook" }));

    expect(await screen.findByRole("menuitem", { name: "Projects" })).toBeTruthy();
    expect(screen.queryByRole("menuitem", { name: "Users" })).toBeNull();
    expect(screen.queryByRole("menuitem", { name: "Audit" })).toBeNull();
  });
});
