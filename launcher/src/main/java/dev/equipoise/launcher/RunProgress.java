package dev.equipoise.launcher;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Reads the progress of a run from its description in the API. */
public final class RunProgress {

    /** Largest fraction below 1, so that only the state says that a run has ended. */
    private static final double NEARLY_ALL = 0.999;

    private static final Set<String> ENDED = Set.of("COMPLETED", "FAILED", "CANCELLED");

    private RunProgress() {}

    /**
     * Returns the progress of a run that must complete.
     *
     * @throws LabFailure with the reason if the run failed or was canceled
     */
    static Progress.State of(JsonNode run) {
        return switch (run.path("state").asString()) {
            case "FAILED" -> throw new LabFailure("the run failed: " + failure(run));
            case "CANCELLED" -> throw new LabFailure("the run was canceled");
            default -> ofAny(run);
        };
    }

    /** Returns the progress of a run that may end in any way. */
    public static Progress.State ofAny(JsonNode run) {
        return state(run, RunProgress::secondsLeftByEpochs);
    }

    /**
     * Returns the progress of a run on a virtual clock that may end in any way. The time left
     * follows from the real time since the start, because epochs have virtual times.
     */
    public static Progress.State ofSimulated(JsonNode run, Instant now) {
        return state(run, it -> secondsLeftByElapsed(it, now));
    }

    private static Progress.State state(JsonNode run, Function<JsonNode, OptionalDouble> left) {
        String state = run.path("state").asString();
        return switch (state) {
            case "COMPLETED" -> new Progress.State(1, String.join(", ", accuracy(run)));
            case "FAILED" -> new Progress.State(1, "failed: " + failure(run));
            case "CANCELLED" -> new Progress.State(1, "canceled");
            case "QUEUED" -> Progress.State.waiting(waitReason(run.path("waiting")));
            default ->
                    new Progress.State(
                            Math.min(NEARLY_ALL, fraction(run)), note(state, run, left.apply(run)));
        };
    }

    /** Formats a wait reason with its code, by which the documentation explains it. */
    private static String waitReason(JsonNode waiting) {
        String code = waiting.path("code").asString("");
        String message = waiting.path("message").asString("");
        return code.isEmpty() ? message : "%s: %s".formatted(code, message);
    }

    public static boolean hasEnded(JsonNode run) {
        return ENDED.contains(run.path("state").asString(""));
    }

    public static boolean isCompleted(JsonNode run) {
        return run.path("state").asString().equals("COMPLETED");
    }

    /** Describes how a run ended that did not complete. */
    public static String end(JsonNode run) {
        return run.path("state").asString("").equals("FAILED")
                ? "failed: %s (%s)"
                        .formatted(failure(run), run.at("/failure/cause").asString("unknown"))
                : "was canceled";
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

    /**
     * Estimates the seconds left from the epochs so far, or from the prediction during the first
     * epoch.
     */
    private static OptionalDouble secondsLeftByEpochs(JsonNode run) {
        JsonNode measured = run.path("epochSeconds");
        JsonNode epoch = measured.isNumber() ? measured : run.at("/prediction/epochSeconds");
        double epochs = (1 - fraction(run)) * run.at("/progress/epochs").asInt();
        return epoch.isNumber()
                ? OptionalDouble.of(epochs * epoch.asDouble())
                : OptionalDouble.empty();
    }

    private static OptionalDouble secondsLeftByElapsed(JsonNode run, Instant now) {
        JsonNode started = run.path("startedAt");
        double fraction = fraction(run);
        if (!started.isString() || fraction == 0) {
            return OptionalDouble.empty();
        }
        Duration elapsed = Duration.between(Instant.parse(started.asString()), now);
        return OptionalDouble.of(Math.max(0, elapsed.toMillis() / 1e3 * (1 / fraction - 1)));
    }

    private static double fraction(JsonNode run) {
        return run.at("/progress/fraction").asDouble();
    }
}
