package dev.equipoise.agent.channel;

import java.time.Duration;

/**
 * Determines how long a rank polls before it blocks. On an idle core polling is faster than a
 * wake-up. On a core that other programs want it is far slower: polling uses up the rank's share of
 * the core, and {@link Thread#yield} hands the core over for a whole time slice of the scheduler,
 * whereas a blocked thread gets the core soon after it is woken. A yield that lasts longer than the
 * work of a peer on the same core therefore shows that the core is contended. From then on the rank
 * never yields, for a time that doubles if the core is lost soon again: it polls for as long as a
 * peer that runs on a core of its own needs for an answer, or blocks at once if ranks share cores.
 */
final class SpinPolicy {

    /**
     * A yield longer than this is a lost core: longer than a peer needs for its part of an
     * exchange, and shorter than a time slice.
     */
    private static final long LOST_CORE_NANOS = 700_000;

    private static final long MIN_CONTENTION_NANOS = 2_000_000;
    private static final long MAX_CONTENTION_NANOS = 32_000_000;

    /** A loss is soon if it comes within this many contention times after the last one ended. */
    private static final int SOON = 4;

    private final long idleNanos;
    private final long contendedNanos;
    private long contentionNanos = MIN_CONTENTION_NANOS;
    private long contendedUntil;

    /**
     * @param idle polling time on an idle core
     * @param contended polling time on a contended core; zero if a peer may need this core to
     *     answer
     */
    SpinPolicy(Duration idle, Duration contended) {
        this.idleNanos = idle.toNanos();
        this.contendedNanos = contended.toNanos();
        this.contendedUntil = System.nanoTime() - SOON * MIN_CONTENTION_NANOS;
    }

    /** Returns whether to go on polling when nothing has moved for {@code quietNanos}. */
    boolean goesOn(long now, long quietNanos) {
        return quietNanos < (isContended(now) ? contendedNanos : idleNanos);
    }

    /** Yields to peers on this core; only spins while the core is contended. */
    @SuppressWarnings("ThreadPriorityCheck") // A peer may need this core to send the awaited frame.
    void pause(long now) {
        if (isContended(now)) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
            noteYield(now, System.nanoTime());
        }
    }

    private boolean isContended(long now) {
        return now - contendedUntil < 0;
    }

    void noteYield(long begin, long end) {
        if (end - begin > LOST_CORE_NANOS) {
            boolean isSoon = begin - contendedUntil < SOON * contentionNanos;
            contentionNanos =
                    isSoon
                            ? Math.min(2 * contentionNanos, MAX_CONTENTION_NANOS)
                            : MIN_CONTENTION_NANOS;
            contendedUntil = end + contentionNanos;
        }
    }
}
