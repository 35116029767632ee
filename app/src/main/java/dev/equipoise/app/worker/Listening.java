package dev.equipoise.app.worker;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Since when this instance of the service could hear the workers without a break. While a database
 * hangs, a machine stands still or a clock jumps nobody is heard, however well they are.
 */
final class Listening {

    private final Duration silence;
    private final Duration longestGap;
    private @Nullable Instant since;
    private Instant last = Instant.MIN;

    /**
     * @param silence for how long a worker may be silent
     */
    Listening(Duration silence) {
        this.silence = silence;
        this.longestGap = silence.dividedBy(2);
    }

    /**
     * A look at the workers has just been possible; whether what it shows as silent is.
     *
     * @param clock is read within the lock: of two looks at once neither finds it put back
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
