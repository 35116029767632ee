package dev.equipoise.agent.time;

/**
 * Applies a slowdown: emulates a slower host. Work that takes t seconds ends after factor times t,
 * counted from its beginning; the throttle sleeps for the difference.
 *
 * <p>Work is measured in processor time of the calling thread, so that waiting for a core that
 * other processes hold counts as part of the granted time and is not stretched. If several threads
 * compute, the caller's processor time does not represent the work, and wall time replaces it.
 *
 * <p>{@link #rest} may be called any number of times between {@link #begin} and the end of the
 * work. Many short rests reduce interference between agents that share a core more than a long one
 * at the end. Not thread-safe.
 */
public final class Throttle {

    /**
     * Shortest sleep: a shorter debt waits for the next rest, since a sleep overshoots by about 50
     * microseconds.
     */
    private static final long MIN_SLEEP_NANOS = 200_000;

    private final double factor;
    private final int threads;
    private final boolean singleThreaded;
    private final Time time;
    private long beginNanos;
    private long workedBefore;
    private long slept;

    /**
     * @param factor the slowdown, at least 1; 1 is full speed
     * @param threads number of threads that compute at the same time for the caller, itself
     *     included
     */
    public Throttle(double factor, int threads, Time time) {
        if (!(factor >= 1)) {
            throw new IllegalArgumentException(
                    "the slowdown must be at least 1, but was " + factor);
        }
        this.factor = factor;
        this.threads = threads;
        this.singleThreaded = threads == 1;
        this.time = time;
    }

    /** Returns a throttle that is slower by a factor, at least 1. */
    public Throttle slowedBy(double additionalFactor) {
        return new Throttle(factor * additionalFactor, threads, time);
    }

    /** Begins a piece of work. */
    public void begin() {
        beginNanos = time.nanoTime();
        workedBefore = worked();
    }

    /**
     * Sleeps until the wall clock has caught up with the stretched work so far, if the debt is long
     * enough.
     */
    public void rest() {
        if (debt() >= MIN_SLEEP_NANOS) {
            sleep();
        }
    }

    /** Ends the piece of work: sleeps for the remaining debt. */
    public void end() {
        if (debt() > 0) {
            sleep();
        }
    }

    private long debt() {
        if (factor == 1) {
            return 0;
        }
        long granted = Math.round(factor * (worked() - workedBefore));
        return granted - (time.nanoTime() - beginNanos);
    }

    private void sleep() {
        long before = time.nanoTime();
        time.sleep(debt());
        slept += time.nanoTime() - before;
    }

    private long worked() {
        return singleThreaded ? time.threadNanos() : time.nanoTime() - slept;
    }
}
