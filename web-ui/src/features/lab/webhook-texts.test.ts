import { describe, expect, it } from "vitest";

import type { Delivery, Webhook } from "./use-webhooks";
import { outcome, webhookState } from "./webhook-texts";

const WEBHOOK: Webhook = {
  id: "w1",
  project: "p1",
  name: "chat",
  url: "https://hooks.example/",
  events: ["run.ended"],
  enabled: true,
  disabledReason: null,
  failures: 0,
  createdAt: "2026-01-05T08:00:00Z",
  secret: null,
};

const DELIVERY: Delivery = {
  id: "d1",
  type: "run.ended",
  state: "pending",
  createdAt: "2026-01-05T08:00:00Z",
  attempts: 0,
  dueAt: "2026-01-05T08:00:00Z",
  attemptedAt: null,
  status: null,
  error: null,
};

describe("the state of a webhook", () => {
  it("tells failures and why it is disabled", () => {
    expect(webhookState(WEBHOOK)).toBe("Enabled");
    expect(webhookState({ ...WEBHOOK, failures: 1 })).toBe("Enabled, 1 failed attempt since the last delivery");
    expect(webhookState({ ...WEBHOOK, enabled: false })).toBe("Disabled");
    expect(webhookState({ ...WEBHOOK, enabled: false, disabledReason: "The receiver answered 410" })).toBe(
      "Disabled: The receiver answered 410",
    );
  });
});

describe("the outcome of a delivery", () => {
  it("is that of the last attempt", () => {
    expect(outcome(DELIVERY)).toBe("–");
    expect(outcome({ ...DELIVERY, attempts: 1 })).toBe("Under way (1 attempt)");
    expect(outcome({ ...DELIVERY, attempts: 1, status: 204 })).toBe("204 (1 attempt)");
    expect(outcome({ ...DELIVERY, attempts: 3, status: 500, error: "the receiver answered 500" })).toBe(
      "the receiver answered 500 (3 attempts)",
    );
  });
});
