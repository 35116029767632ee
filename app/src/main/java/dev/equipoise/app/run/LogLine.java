package dev.equipoise.app.run;

import static java.util.stream.Collectors.joining;

import dev.equipoise.app.run.RunEvent.PlacedRank;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a run, for people.
 *
 * @param rank who told it; null where it was the service
 * @param worker by whom that rank was held; null likewise
 * @param text one line
 */
@Schema(name = "LogLine")
record LogLine(long id, Instant at, @Nullable Integer rank, @Nullable String worker, String text) {

    private static final int MOST_RANKS = 16;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSX", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    /** No text breaks its line, wherever it came from. */
    LogLine {
        text = text.replaceAll("[\\p{Cc}\\p{Cf}\\u2028\\u2029]+", " ").strip();
    }

    /**
     * Words for an event.
     *
     * @param epochs that the run has
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
            case RunEvent.Placed placed -> seats(placed);
            case RunEvent.Predicted(var prediction) -> expectation(prediction);
            case RunEvent.Epoch epoch -> figures(epoch, epochs);
            case RunEvent.SetBack(var failure, int epoch) ->
                    "is set back to %s by %s (%s): %s"
                            .formatted(
                                    epoch == 0 ? "its beginning" : "the end of epoch " + epoch,
                                    failure.cause().name().toLowerCase(Locale.ROOT),
                                    failure.code(),
                                    failure.message());
            case RunEvent.Failed(var failure) ->
                    "fails by %s (%s): %s"
                            .formatted(
                                    failure.cause().name().toLowerCase(Locale.ROOT),
                                    failure.code(),
                                    failure.message());
            case RunEvent.Noted noted -> noted.text();
            case RunEvent.Progressed _, RunEvent.Metrics _ ->
                    throw new IllegalArgumentException(
                            "of these curves tell, and no log: " + event.type());
        };
    }

    /** Words of a rank that trains no more. */
    static String standing(Standstill why) {
        return switch (why) {
            case Standstill.Waiting(var held, var missing) ->
                    "stands still%s%s"
                            .formatted(
                                    held == null
                                            ? ""
                                            : " at epoch %d, round %d"
                                                    .formatted(
                                                            held.position().epoch(),
                                                            held.position().round()),
                                    missing.isEmpty() ? "" : ", and misses ranks " + missing);
            case Standstill.Lost(var failure) -> "is lost: " + failure.message();
        };
    }

    private static String seats(RunEvent.Placed placed) {
        String ranks =
                placed.ranks().stream().limit(MOST_RANKS).map(LogLine::seat).collect(joining(", "));
        int more = placed.ranks().size() - MOST_RANKS;
        return "generation %d: %s%s"
                .formatted(
                        placed.generation(), ranks, more > 0 ? " and %d more".formatted(more) : "");
    }

    private static String seat(PlacedRank rank) {
        return "rank %d on %s (%d samples an epoch)"
                .formatted(rank.rank(), rank.workerName(), rank.share());
    }

    private static String expectation(Prediction prediction) {
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
                        tested(epoch),
                        digits(seconds),
                        bytes);
    }

    private static String tested(RunEvent.Epoch epoch) {
        return epoch.testAccuracy() == null
                ? ""
                : ", test accuracy " + digits(epoch.testAccuracy());
    }

    private static String digits(double number) {
        return String.format(Locale.ROOT, "%.4g", number);
    }

    /** Time, who and what. */
    String line() {
        String who = rank == null ? "service" : "rank %d (%s)".formatted(rank, worker);
        return "%s %s %s".formatted(TIME.format(at), who, text);
    }
}
