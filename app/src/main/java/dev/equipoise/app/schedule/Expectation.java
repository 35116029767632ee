package dev.equipoise.app.schedule;

import dev.equipoise.app.run.RunQueue.UnderWay;
import java.time.Duration;
import java.time.Instant;

/** When what workers do is expected to be over: pure. */
final class Expectation {

    /** What a profile or a measurement of links is taken to last. */
    static final Duration MEASURING = Duration.ofMinutes(2);

    /** What has lasted longer than was expected is expected to last as much longer, of that. */
    private static final int LONGER_BY = 10;

    private static final double NANOS = 1e9;

    private Expectation() {}

    /**
     * Of a run that has its workers: where it is to make room, in an epoch's time; else by what its
     * epochs take, where that is known, or else by what earlier ones took.
     *
     * @param since when it got its workers
     * @return {@link Instant#MAX} where nobody knows
     */
    static Instant endOf(UnderWay run, Instant since, Instant now) {
        Instant startedAt = run.startedAt();
        Double epochSeconds = run.epochSeconds();
        if (startedAt != null && epochSeconds != null && run.isAsked()) {
            return now.plus(seconds(epochSeconds));
        }
        if (startedAt != null && epochSeconds != null) {
            int epochs = run.progress().epochs() - run.epochsBefore();
            Duration training = seconds(epochs * epochSeconds);
            Instant end = end(startedAt, training, now);
            Instant byProgress =
                    now.plus(
                            seconds(
                                    (1 - run.progress().fraction())
                                            * run.progress().epochs()
                                            * epochSeconds));
            return startedAt.plus(training).isAfter(now) || byProgress.isBefore(end)
                    ? end
                    : byProgress;
        }
        Duration length = run.length();
        return length == null ? Instant.MAX : end(since, length, now);
    }

    /** Of something that was expected to last so long; never in the past. */
    static Instant end(Instant since, Duration length, Instant now) {
        Instant end = since.plus(length);
        return end.isAfter(now) ? end : now.plus(Duration.between(since, now).dividedBy(LONGER_BY));
    }

    private static Duration seconds(double seconds) {
        return Duration.ofNanos((long) Math.min(seconds * NANOS, Long.MAX_VALUE / 4.0));
    }
}
