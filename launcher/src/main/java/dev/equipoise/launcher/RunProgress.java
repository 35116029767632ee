package dev.equipoise.launcher;

import tools.jackson.databind.JsonNode;

/** Reads the progress of a run from its description. */
final class RunProgress {

    private RunProgress() {}

    static Progress.State of(JsonNode run) {
        JsonNode progress = run.path("progress");
        return switch (run.path("state").asString()) {
            case "COMPLETED" -> new Progress.State(1, "");
            case "FAILED" ->
                    throw new LabFailure(
                            "the run failed: " + run.path("failure").path("message").asString());
            case "CANCELLED" -> throw new LabFailure("the run was cancelled");
            case "QUEUED" ->
                    new Progress.State(0, run.path("waiting").path("message").asString(""));
            default ->
                    new Progress.State(
                            Math.min(0.999, progress.path("fraction").asDouble()),
                            "epoch %d of %d, round %d of %d"
                                    .formatted(
                                            progress.path("epoch").asInt(),
                                            progress.path("epochs").asInt(),
                                            progress.path("round").asInt(),
                                            progress.path("rounds").asInt()));
        };
    }
}
