package dev.equipoise.app.schedule;

import dev.equipoise.app.run.RunQueue.UnderWay;
import java.time.Duration;
import java.time.Instant;

/** Estimates when the current work of workers ends. Pure. */
final class CompletionEstimate {

    /** Assumed duration of a profile or a link measurement. */
    static final Duration MEASUREMENT_DURATION = Duration.ofMinutes(2);

    /** Overdue work is expected to take a further tenth of the time that it has taken so far. */
    private static final int OVERDUE_DIVISOR = 10;

    private static final double NANOS = 1e9;

    private CompletionEstimate() {}

    /**
     * The expected end of a placed run: after one epoch if it is being preempted; else by its epoch
     * time, if that is known; else by the runtime history.
     *
     * @param since when it got its workers
     * @return {@link Instant#MAX} if unknown
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

    /** The expected end of work of a given duration; never in the past. */
    static Instant end(Instant since, Duration length, Instant now) {
        Instant end = since.plus(length);
        return end.isAfter(now)
                ? end
                : now.plus(Duration.between(since, now).dividedBy(OVERDUE_DIVISOR));
    }

    private static Duration seconds(double seconds) {
        return Duration.ofNanos((long) Math.min(seconds * NANOS, Long.MAX_VALUE / 4.0));
    }
}
