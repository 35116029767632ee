package dev.equipoise.agent.channel;

import java.time.Duration;

/** A deadline on the monotonic clock. */
record Deadline(long nanoTime) {

    static Deadline in(Duration duration) {
        return new Deadline(System.nanoTime() + duration.toNanos());
    }

    Deadline orSooner(Duration duration) {
        Deadline other = in(duration);
        return remainingNanos() < other.remainingNanos() ? this : other;
    }

    long remainingNanos() {
        return nanoTime - System.nanoTime();
    }

    /** The remaining time for calls that take 0 as infinite: at least one millisecond. */
    int remainingMillis() {
        return Math.clamp(remainingNanos() / 1_000_000, 1, Integer.MAX_VALUE);
    }

    boolean hasPassed() {
        return remainingNanos() <= 0;
    }
}
