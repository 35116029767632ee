package dev.equipoise.agent.time;

import java.time.Duration;

/** A clock that advances only by these methods, and on which sleeping takes exactly its time. */
public final class TestingTime implements Time {

    private long nanos = 1_000;
    private long threadNanos = 500;
    private long slept;
    private int sleeps;

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public long threadNanos() {
        return threadNanos;
    }

    @Override
    public void sleep(long duration) {
        nanos += duration;
        slept += duration;
        sleeps++;
    }

    /** Computes without a pause. */
    public void work(Duration duration) {
        nanos += duration.toNanos();
        threadNanos += duration.toNanos();
    }

    /** Waits for a core or for a peer. */
    public void idle(Duration duration) {
        nanos += duration.toNanos();
    }

    public Duration slept() {
        return Duration.ofNanos(slept);
    }

    public int sleeps() {
        return sleeps;
    }
}
