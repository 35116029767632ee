package dev.equipoise.app.monitor;

import static java.util.stream.Collectors.joining;

import dev.equipoise.app.prediction.Prediction;
import dev.equipoise.app.run.RunEvent;
import dev.equipoise.app.run.RunEvent.PlacedRank;
import dev.equipoise.protocol.DisplayText;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Line of the log of a run, for people.
 *
 * @param id number of the line; later lines have higher ones
 * @param at time of the line
 * @param rank rank that reported it; null for the service
 * @param worker name of the worker of that rank; null for the service
 * @param text one line
 */
@Schema(name = "LogLine")
record LogLine(long id, Instant at, @Nullable Integer rank, @Nullable String worker, String text) {

    private static final int MAX_RANKS = 16;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSX", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    /** Replaces line breaks and control characters of the text by spaces. */
    LogLine {
        text = DisplayText.clean(text);
    }

    /**
     * Describes an event.
     *
     * @param epochs number of epochs of the run
     */
    static LogLine of(long id, Instant at, RunEvent event, int epochs) {
        return event instanceof RunEvent.Noted noted
                ? new LogLine(id, at, noted.rank(), noted.worker(), noted.text())
                : new LogLine(id, at, null, null, text(event, epochs));
    }

    private static String text(RunEvent event, int epochs) {
        return switch (event) {
            case RunEvent.State(var state) -> "is " + state;
            case RunEvent.Waits(var waiting) ->
                    "waits (%s): %s".formatted(waiting.code(), waiting.message());
            case RunEvent.Placed placed -> placement(placed);
            case RunEvent.Predicted(var prediction) -> prediction(prediction);
            case RunEvent.Epoch epoch -> figures(epoch, epochs);
            case RunEvent.SetBack(var failure, int epoch) ->
                    "restarts from %s after a %s failure (%s): %s"
                            .formatted(
                                    epoch == 0 ? "the beginning" : "the end of epoch " + epoch,
                                    failure.cause().name().toLowerCase(Locale.ROOT),
                                    failure.code(),
                                    failure.message());
            case RunEvent.Failed(var failure) ->
                    "fails with a %s failure (%s): %s"
                            .formatted(
                                    failure.cause().name().toLowerCase(Locale.ROOT),
                                    failure.code(),
                                    failure.message());
            case RunEvent.Noted noted -> noted.text();
            case RunEvent.Progressed _, RunEvent.Metrics _ ->
                    throw new IllegalArgumentException(
                            "no log line describes an event of type " + event.type());
        };
    }

    private static String placement(RunEvent.Placed placed) {
        String ranks =
                placed.ranks().stream()
                        .limit(MAX_RANKS)
                        .map(LogLine::allocation)
                        .collect(joining(", "));
        int more = placed.ranks().size() - MAX_RANKS;
        return "generation %d: %s%s"
                .formatted(
                        placed.generation(), ranks, more > 0 ? " and %d more".formatted(more) : "");
    }

    private static String allocation(PlacedRank rank) {
        return "rank %d on %s (%d samples an epoch)"
                .formatted(rank.rank(), rank.workerName(), rank.share());
    }

    private static String prediction(Prediction prediction) {
        Double uncertainty = prediction.uncertainty();
        String expected = "should take %s s an epoch".formatted(digits(prediction.epochSeconds()));
        return uncertainty == null
                ? expected
                : "%s, between %s and %s"
                        .formatted(
                                expected,
                                digits(prediction.epochSeconds() / (1 + uncertainty)),
                                digits(prediction.epochSeconds() * (1 + uncertainty)));
    }

    private static String figures(RunEvent.Epoch epoch, int epochs) {
        double seconds =
                epoch.ranks().stream().mapToDouble(RunEvent.EpochRank::seconds).max().orElse(0);
        long bytes = epoch.ranks().stream().mapToLong(RunEvent.EpochRank::bytes).sum();
        return "epoch %d of %d is over: loss %s%s, %s s, %d bytes sent"
                .formatted(
                        epoch.epoch(),
                        epochs,
                        digits(epoch.meanLoss()),
                        testAccuracy(epoch),
                        digits(seconds),
                        bytes);
    }

    private static String testAccuracy(RunEvent.Epoch epoch) {
        return epoch.testAccuracy() == null
                ? ""
                : ", test accuracy " + digits(epoch.testAccuracy());
    }

    private static String digits(double number) {
        return String.format(Locale.ROOT, "%.4g", number);
    }

    /** Returns the line as text: time, source and description. */
    String line() {
        String source = rank == null ? "service" : "rank %d (%s)".formatted(rank, worker);
        return "%s %s %s".formatted(TIME.format(at), source, text);
    }
}
