package dev.equipoise.agent.time;

import java.time.Duration;

/** How long to wait after failures in a row: twice as long each time, up to a limit. */
public record BackOff(Duration first, Duration limit) {

    /** A quarter of a second, up to ten seconds. */
    public static final BackOff DEFAULT =
            new BackOff(Duration.ofMillis(250), Duration.ofSeconds(10));

    private static final int MAX_DOUBLINGS = 20;

    /** The wait after so many failures, at least 1. */
    public Duration after(int failures) {
        Duration doubled = first.multipliedBy(1L << Math.min(failures - 1, MAX_DOUBLINGS));
        return doubled.compareTo(limit) < 0 ? doubled : limit;
    }
}
