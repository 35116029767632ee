package dev.equipoise.app.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether this instance of the service has watched the clock without a gap for a whole
 * period. A hanging database, a suspended machine or a clock jump makes healthy workers look silent
 * and grace periods look over. Thread-safe.
 */
public final class ClockCoverage {

    private final Duration period;
    private final Duration longestGap;
    private @Nullable Instant since;
    private Instant last = Instant.MIN;

    /**
     * @param period time that must be covered
     * @param longestGap a longer time between two checks restarts the coverage
     */
    public ClockCoverage(Duration period, Duration longestGap) {
        this.period = period;
        this.longestGap = longestGap;
    }

    /**
     * Records a check; true if the period before it is covered.
     *
     * @param clock is read under the lock, so that concurrent checks never see it set back
     */
    public synchronized boolean at(InstantSource clock) {
        Instant now = clock.instant();
        if (since == null
                || now.isBefore(last)
                || Duration.between(last, now).compareTo(longestGap) > 0) {
            since = now;
        }
        last = now;
        return !now.isBefore(since.plus(period));
    }
}
