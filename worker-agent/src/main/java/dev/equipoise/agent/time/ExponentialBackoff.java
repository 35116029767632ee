package dev.equipoise.agent.time;

import java.time.Duration;

/**
 * Exponential backoff: the wait after failures in a row doubles with each failure, up to a limit.
 */
public record ExponentialBackoff(Duration first, Duration limit) {

    /** Default: 250 ms, up to 10 s. */
    public static final ExponentialBackoff DEFAULT =
            new ExponentialBackoff(Duration.ofMillis(250), Duration.ofSeconds(10));

    private static final int MAX_DOUBLINGS = 20;

    /** Returns the wait after a number of failures in a row, at least 1. */
    public Duration after(int failures) {
        Duration doubled = first.multipliedBy(1L << Math.min(failures - 1, MAX_DOUBLINGS));
        return doubled.compareTo(limit) < 0 ? doubled : limit;
    }
}
