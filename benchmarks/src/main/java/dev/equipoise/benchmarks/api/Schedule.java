package dev.equipoise.benchmarks.api;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Moments that follow one another at the same distance, whatever comes in between: who is late for
 * one is not late for the next because of that. One thread uses it.
 */
final class Schedule {

    private final long period;
    private long next;

    private Schedule(long first, long period) {
        this.next = first;
        this.period = period;
    }

    /** Begins after a while. */
    static Schedule every(Duration period, Duration offset) {
        return new Schedule(System.nanoTime() + offset.toNanos(), period.toNanos());
    }

    /** Waits for the next moment and tells it, as {@link System#nanoTime} does. */
    long await() throws InterruptedException {
        long moment = next;
        next += period;
        TimeUnit.NANOSECONDS.sleep(moment - System.nanoTime());
        return moment;
    }
}
