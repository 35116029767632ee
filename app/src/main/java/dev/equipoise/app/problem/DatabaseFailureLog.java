package dev.equipoise.app.problem;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs a failure of the database once when it begins and once when it has ended: until then every
 * request and every scheduled task may fail for the same reason. All share one object, as they
 * share the log of the process.
 */
public final class DatabaseFailureLog {

    private static final Logger log = LoggerFactory.getLogger(DatabaseFailureLog.class);

    /**
     * A failure has ended after this time without another one. While it lasts, scheduled tasks meet
     * it more often: they begin several times a second and wait for a connection for 5 s.
     */
    static final Duration QUIET = Duration.ofSeconds(10);

    private static final DatabaseFailureLog PROCESS = new DatabaseFailureLog(System::nanoTime);

    private final LongSupplier nanos;
    private final Map<DatabaseFailure, Outage> outages = new EnumMap<>(DatabaseFailure.class);

    /**
     * @param nanos a monotonic clock, in nanoseconds
     */
    DatabaseFailureLog(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * A failure that has not ended.
     *
     * @param times how often it was met
     * @param last when it was met last, in nanoseconds
     */
    private record Outage(long times, long last) {}

    /**
     * Logs an exception, if it is a failure of the database that is not in the log yet.
     *
     * @return the failure; empty if the exception has another reason, which this method does not
     *     log
     */
    public static Optional<DatabaseFailure> report(Throwable failure) {
        Optional<DatabaseFailure> known = DatabaseFailure.of(failure);
        known.ifPresent(it -> PROCESS.add(it, failure));
        return known;
    }

    /** Logs the end of the failures that nothing has met for a while. */
    public static void checkEnds() {
        PROCESS.endQuiet();
    }

    /** Tells whether a failure lasts, by the latest reports. */
    public static boolean lasts(DatabaseFailure failure) {
        return PROCESS.isOpen(failure);
    }

    synchronized void add(DatabaseFailure failure, Throwable cause) {
        if (!failure.isFault()) {
            log.debug("{}: {}", failure.symptom(), cause.getMessage());
            return;
        }
        endQuiet();
        Outage known = outages.get(failure);
        if (known == null) {
            log.error(
                    "{}; requests get status {} until this ends: {}",
                    failure.symptom(),
                    failure.code().status(),
                    firstLine(ExceptionText.innermost(cause)));
        }
        outages.put(failure, new Outage(known == null ? 1 : known.times() + 1, nanos.getAsLong()));
    }

    synchronized void endQuiet() {
        outages.entrySet()
                .removeIf(it -> {
                    boolean isOver = isQuiet(it.getValue());
                    if (isOver) {
                        log.info(
                                "ended after {} failed requests and tasks: {}",
                                it.getValue().times(),
                                it.getKey().symptom());
                    }
                    return isOver;
                });
    }

    synchronized boolean isOpen(DatabaseFailure failure) {
        Outage known = outages.get(failure);
        return known != null && !isQuiet(known);
    }

    private boolean isQuiet(Outage outage) {
        return nanos.getAsLong() - outage.last() >= QUIET.toNanos();
    }

    /** Keeps the first line of a database's message; hints and source positions follow it. */
    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
