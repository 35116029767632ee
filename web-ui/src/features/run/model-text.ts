import type { Run } from "@/api/schemas";
import { percent, traffic } from "@/shared/format";
import { isFinal } from "@/shared/run/run-states";

/** Describes the trained model of a run, or says why it has none. */
export function modelText({ model, configuration, state }: Run): string {
  if (model != null) {
    const weights = model.replica == null ? "" : ` · weights of rank ${model.replica.toString()}`;
    return `After epoch ${model.epoch.toString()} · test accuracy ${percent(model.accuracy)}${weights} · ${traffic(model.bytes)} · SHA-256 ${model.digest}`;
  }
  if (configuration.keepModel === "none") {
    return "The run keeps no model: its definition says keepModel: none.";
  }
  if (!isFinal(state)) {
    return configuration.keepModel === "best"
      ? "There is no model yet. The run stores one after each evaluation that is the best so far."
      : "There is no model yet. The run stores it after the last epoch.";
  }
  if (state === "COMPLETED") {
    return "There is no model: it was deleted, or the log says why none was stored.";
  }
  return configuration.keepModel === "best"
    ? "There is no model: it was deleted, or the run ended before it had one."
    : "There is no model: the run ended before it had one.";
}
