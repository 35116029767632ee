package dev.equipoise.agent.time;

/** Tells the time and waits; tests have one that they move by hand. */
public interface Time {

    /** Nanoseconds on a clock that never goes back, from an arbitrary origin. */
    long nanoTime();

    /** Processor time that the calling thread has used so far, in nanoseconds. */
    long threadNanos();

    /** Waits; returns early when the thread is interrupted, and leaves the interrupt standing. */
    void sleep(long nanos);
}
