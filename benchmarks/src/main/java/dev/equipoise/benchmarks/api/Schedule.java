package dev.equipoise.benchmarks.api;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Periodic due times that do not drift: a delay in one period does not postpone the next. Not
 * thread-safe.
 */
final class Schedule {

    private final long period;
    private long next;

    private Schedule(long first, long period) {
        this.next = first;
        this.period = period;
    }

    /** Creates a schedule that begins after an offset. */
    static Schedule every(Duration period, Duration offset) {
        return new Schedule(System.nanoTime() + offset.toNanos(), period.toNanos());
    }

    /** Waits for the next due time and returns it, as a value of {@link System#nanoTime}. */
    long await() throws InterruptedException {
        long due = next;
        next += period;
        TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        return due;
    }
}
