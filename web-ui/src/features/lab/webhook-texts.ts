import { NONE } from "@/shared/format";

import type { Delivery, Webhook } from "./use-webhooks";

export type WebhookEvent = Webhook["events"][number];

export const EVENTS: readonly { readonly value: WebhookEvent; readonly label: string }[] = [
  { value: "run.ended", label: "A run has ended" },
  { value: "worker.lost", label: "A worker was lost" },
];

/** Tells whether a webhook gets events, and why not. */
export function webhookState({ enabled, disabledReason, failures }: Webhook): string {
  if (!enabled) {
    return disabledReason === null ? "Disabled" : `Disabled: ${disabledReason}`;
  }
  return failures === 0 ? "Enabled" : `Enabled, ${count(failures, "failed attempt")} since the last delivery`;
}

/** Tells what came of the last attempt, such as "500 (3 attempts)". */
export function outcome({ attempts, status, error }: Delivery): string {
  if (attempts === 0) {
    return NONE;
  }
  return `${error ?? status?.toString() ?? "Under way"} (${count(attempts, "attempt")})`;
}

function count(number: number, noun: string): string {
  return `${number.toString()} ${noun}${number === 1 ? "" : "s"}`;
}
