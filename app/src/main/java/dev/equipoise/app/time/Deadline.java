package dev.equipoise.app.time;

import java.time.Duration;
import java.time.Instant;

/**
 * Decides whether a stored deadline is still ahead. A deadline holds for at most its own length:
 * one that is further away was set before the clock was set back, and is over.
 */
public final class Deadline {

    /** Tolerated difference between the clocks of two instances of the service. */
    private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(5);

    private Deadline() {}

    /**
     * Returns whether a deadline is ahead.
     *
     * @param length longest time from the setting of the deadline to its end
     */
    public static boolean isAhead(Instant end, Duration length, Instant now) {
        return end.isAfter(now) && !end.isAfter(latestEnd(length, now));
    }

    /** Returns the latest end of a deadline of this length that was set by now. */
    public static Instant latestEnd(Duration length, Instant now) {
        return now.plus(length).plus(CLOCK_DIFFERENCE);
    }
}
