package dev.equipoise.agent.time;

/** A clock that can sleep; tests control it by hand. */
public interface Time {

    /** Nanoseconds on a monotonic clock, from an arbitrary origin. */
    long nanoTime();

    /** Processor time of the calling thread so far, in nanoseconds. */
    long threadNanos();

    /** Sleeps; returns early if the thread is interrupted, and keeps its interrupt status. */
    void sleep(long nanos);
}
