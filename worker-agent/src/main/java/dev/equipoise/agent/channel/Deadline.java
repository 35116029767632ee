package dev.equipoise.agent.channel;

import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.time.Time;
import java.time.Duration;

/**
 * A deadline on a monotonic clock.
 *
 * @param nanoTime in nanoseconds of that clock
 */
record Deadline(Time time, long nanoTime) {

    private static final Time SYSTEM = new SystemTime();

    static Deadline in(Duration duration) {
        return in(duration, SYSTEM);
    }

    static Deadline in(Duration duration, Time time) {
        return new Deadline(time, time.nanoTime() + duration.toNanos());
    }

    Deadline orSooner(Duration duration) {
        Deadline other = in(duration, time);
        return remainingNanos() < other.remainingNanos() ? this : other;
    }

    long remainingNanos() {
        return nanoTime - time.nanoTime();
    }

    /** The remaining time for calls that take 0 as infinite: at least one millisecond. */
    int remainingMillis() {
        return Math.clamp(remainingNanos() / 1_000_000, 1, Integer.MAX_VALUE);
    }

    boolean hasPassed() {
        return remainingNanos() <= 0;
    }
}
