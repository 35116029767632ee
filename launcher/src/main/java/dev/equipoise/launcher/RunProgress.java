package dev.equipoise.launcher;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
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
        return state(run, RunProgress::leftByEpochs);
    }

    /**
     * Of one that may end in any way, and whose epochs are told by a clock that is not real: what
     * is left follows from what has passed since it began.
     */
    static Progress.State ofSimulated(JsonNode run, Instant now) {
        return state(run, it -> leftByPast(it, now));
    }

    private static Progress.State state(JsonNode run, Function<JsonNode, OptionalDouble> left) {
        String state = run.path("state").asString();
        return switch (state) {
            case "COMPLETED" -> new Progress.State(1, String.join(", ", accuracy(run)));
            case "FAILED" -> new Progress.State(1, "failed: " + failure(run));
            case "CANCELLED" -> new Progress.State(1, "cancelled");
            case "QUEUED" ->
                    new Progress.State(0, run.path("waiting").path("message").asString(""));
            default ->
                    new Progress.State(
                            Math.min(NEARLY_ALL, fraction(run)), note(state, run, left.apply(run)));
        };
    }

    static boolean isCompleted(JsonNode run) {
        return run.path("state").asString().equals("COMPLETED");
    }

    private static String failure(JsonNode run) {
        return run.path("failure").path("message").asString();
    }

    private static String note(String state, JsonNode run, OptionalDouble secondsLeft) {
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
        secondsLeft.ifPresent(it -> parts.add("%d s left".formatted(Math.round(it))));
        return String.join(", ", parts);
    }

    private static List<String> accuracy(JsonNode run) {
        JsonNode accuracy = run.path("testAccuracy");
        return accuracy.isNumber()
                ? List.of(String.format(Locale.ROOT, "accuracy %.4f", accuracy.asDouble()))
                : List.of();
    }

    /** By the epochs so far, or by the prediction before the first has ended. */
    private static OptionalDouble leftByEpochs(JsonNode run) {
        JsonNode measured = run.path("epochSeconds");
        JsonNode epoch = measured.isNumber() ? measured : run.at("/prediction/epochSeconds");
        double epochs = (1 - fraction(run)) * run.at("/progress/epochs").asInt();
        return epoch.isNumber()
                ? OptionalDouble.of(epochs * epoch.asDouble())
                : OptionalDouble.empty();
    }

    private static OptionalDouble leftByPast(JsonNode run, Instant now) {
        JsonNode started = run.path("startedAt");
        double fraction = fraction(run);
        if (!started.isString() || fraction == 0) {
            return OptionalDouble.empty();
        }
        Duration past = Duration.between(Instant.parse(started.asString()), now);
        return OptionalDouble.of(Math.max(0, past.toMillis() / 1e3 * (1 / fraction - 1)));
    }

    private static double fraction(JsonNode run) {
        return run.at("/progress/fraction").asDouble();
    }
}
