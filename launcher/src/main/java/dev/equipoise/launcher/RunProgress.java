package dev.equipoise.launcher;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** Reads the progress of a run from its description. */
final class RunProgress {

    /** What is less than all, so that only the state says that a run is over. */
    private static final double NEARLY_ALL = 0.999;

    private RunProgress() {}

    /**
     * Of a run that must be completed.
     *
     * @throws LabFailure with the reason where it ended otherwise
     */
    static Progress.State of(JsonNode run) {
        return switch (run.path("state").asString()) {
            case "FAILED" -> throw new LabFailure("the run failed: " + failure(run));
            case "CANCELLED" -> throw new LabFailure("the run was cancelled");
            default -> ofAny(run);
        };
    }

    /** Of a run that may end in any way. */
    static Progress.State ofAny(JsonNode run) {
        String state = run.path("state").asString();
        return switch (state) {
            case "COMPLETED" -> new Progress.State(1, String.join(", ", accuracy(run)));
            case "FAILED" -> new Progress.State(1, "failed: " + failure(run));
            case "CANCELLED" -> new Progress.State(1, "cancelled");
            case "QUEUED" ->
                    new Progress.State(0, run.path("waiting").path("message").asString(""));
            default ->
                    new Progress.State(
                            Math.min(NEARLY_ALL, run.at("/progress/fraction").asDouble()),
                            note(state, run));
        };
    }

    static boolean isCompleted(JsonNode run) {
        return run.path("state").asString().equals("COMPLETED");
    }

    private static String failure(JsonNode run) {
        return run.path("failure").path("message").asString();
    }

    private static String note(String state, JsonNode run) {
        JsonNode progress = run.path("progress");
        List<String> parts = new ArrayList<>();
        parts.add(state.toLowerCase(Locale.ROOT));
        parts.add(
                "epoch %d of %d"
                        .formatted(
                                progress.path("epoch").asInt(), progress.path("epochs").asInt()));
        parts.add(
                "round %d of %d"
                        .formatted(
                                progress.path("round").asInt(), progress.path("rounds").asInt()));
        parts.addAll(accuracy(run));
        parts.addAll(timeLeft(run));
        return String.join(", ", parts);
    }

    private static List<String> accuracy(JsonNode run) {
        JsonNode accuracy = run.path("testAccuracy");
        return accuracy.isNumber()
                ? List.of(String.format(Locale.ROOT, "accuracy %.4f", accuracy.asDouble()))
                : List.of();
    }

    /** By the epochs so far, or by the prediction before the first has ended. */
    private static List<String> timeLeft(JsonNode run) {
        JsonNode measured = run.path("epochSeconds");
        JsonNode epoch = measured.isNumber() ? measured : run.at("/prediction/epochSeconds");
        double epochs =
                (1 - run.at("/progress/fraction").asDouble()) * run.at("/progress/epochs").asInt();
        return epoch.isNumber()
                ? List.of("%d s left".formatted(Math.round(epochs * epoch.asDouble())))
                : List.of();
    }
}
