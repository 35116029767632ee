import type { Worker } from "@/api/schemas";

import type { Profile } from "./use-workers";

export const STATE_COLORS: Record<Worker["state"], string> = {
  JOINING: "cyan",
  IDLE: "teal",
  BUSY: "indigo",
  DRAINING: "orange",
  LOST: "red",
  LEFT: "gray",
};

export const MEASUREMENT_COLORS: Record<Profile["state"], string> = {
  PENDING: "gray",
  MEASURING: "indigo",
  COMPLETE: "teal",
  FAILED: "red",
  CANCELLED: "gray",
};
