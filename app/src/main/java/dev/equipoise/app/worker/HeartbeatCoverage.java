package dev.equipoise.app.worker;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether this instance of the service has received heartbeats without a gap for the whole
 * session timeout. A hanging database, a suspended machine or a clock jump makes healthy workers
 * look silent. Thread-safe.
 */
final class HeartbeatCoverage {

    private final Duration silence;
    private final Duration longestGap;
    private @Nullable Instant since;
    private Instant last = Instant.MIN;

    /**
     * @param silence the session timeout; a gap of more than half of it restarts the coverage
     */
    HeartbeatCoverage(Duration silence) {
        this.silence = silence;
        this.longestGap = silence.dividedBy(2);
    }

    /**
     * Records a check of the workers; true if a worker that looks silent really is.
     *
     * @param clock is read under the lock, so that concurrent checks never see it set back
     */
    synchronized boolean at(InstantSource clock) {
        Instant now = clock.instant();
        if (since == null
                || now.isBefore(last)
                || Duration.between(last, now).compareTo(longestGap) > 0) {
            since = now;
        }
        last = now;
        return !now.isBefore(since.plus(silence));
    }
}
