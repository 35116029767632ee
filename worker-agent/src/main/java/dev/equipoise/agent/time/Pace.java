package dev.equipoise.agent.time;

/**
 * Makes this machine as slow as another one: work that takes t seconds ends after factor times t,
 * counted from its beginning, and the difference is slept.
 *
 * <p>Work is counted in processor time of the calling thread, so that waiting for a core that other
 * processes hold counts into the time granted and is not stretched as well. Where several threads
 * compute, the caller's processor time says little and wall time stands in for it.
 *
 * <p>{@link #rest} may be called as often as one likes between {@link #begin} and the end of the
 * work. Many short rests keep agents that share a core out of each other's way better than a long
 * one at the end. One thread uses a pace.
 */
public final class Pace {

    /** Shorter debts wait for the next rest, since a sleep overshoots by some 50 microseconds. */
    private static final long LEAST_NANOS = 200_000;

    private final double factor;
    private final int threads;
    private final boolean singleThreaded;
    private final Time time;
    private long begun;
    private long workedBefore;
    private long slept;

    /**
     * @param factor at least 1, where 1 means full speed
     * @param threads that compute at the same time on behalf of the caller, itself included
     */
    public Pace(double factor, int threads, Time time) {
        if (!(factor >= 1)) {
            throw new IllegalArgumentException(
                    "the slow-down must be at least 1, but was " + factor);
        }
        this.factor = factor;
        this.threads = threads;
        this.singleThreaded = threads == 1;
        this.time = time;
    }

    /** The pace of a machine that is slower by a factor, at least 1. */
    public Pace slowedBy(double more) {
        return new Pace(factor * more, threads, time);
    }

    /** Marks the beginning of a piece of work. */
    public void begin() {
        begun = time.nanoTime();
        workedBefore = worked();
    }

    /** Sleeps until the wall clock has caught up with the work done so far, if it lags enough. */
    public void rest() {
        if (debt() >= LEAST_NANOS) {
            sleep();
        }
    }

    /** Ends the piece of work: sleeps whatever is left to sleep. */
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
        return granted - (time.nanoTime() - begun);
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
