package dev.equipoise.agent.server;

/** The mode of a server: when it applies gradients and when it answers. */
public sealed interface Mode {

    /**
     * Synchronous rounds: applies the aggregate when all replicas have pushed; all get the new
     * values in the same round.
     */
    record Synchronous(Aggregate aggregate) implements Mode {}

    /**
     * Synchronous rounds without weights on the servers: all replicas get the aggregate and step by
     * themselves. Equal replicas stay equal to the bit. If gradients are coded, the aggregate is
     * coded too, without loss: only nonzero elements are sent.
     */
    record Aggregating(Aggregate aggregate) implements Mode {}

    /** Asynchronous SGD: applies each gradient on arrival; a pull returns the current values. */
    record Asynchronous() implements Mode {}

    /**
     * Stale-synchronous parallel (Ho and others 2013): applies each gradient on arrival, but a pull
     * of a replica that is more than {@code bound} iterations ahead of the slowest waits until the
     * slowest has caught up.
     *
     * @param bound in iterations; 0 for lockstep
     */
    record StaleSynchronous(int bound) implements Mode {

        public StaleSynchronous {
            requireBound(bound, 0);
        }
    }

    /**
     * Stale-synchronous with a barrier (Tolstobrov): applies each gradient on arrival until a
     * replica is {@code bound} iterations ahead of the slowest; then all stop after their current
     * iteration and get the same values.
     *
     * @param bound in iterations; 1 for lockstep
     */
    record Barrier(int bound) implements Mode {

        public Barrier {
            requireBound(bound, 1);
        }
    }

    /** The aggregate of the replicas' gradients of one round. */
    enum Aggregate {
        /** Their sum (Li et al. 2018). */
        SUM,
        /** Their sum over the number of replicas; servers do not count (Zhu et al. 2020). */
        MEAN
    }

    private static void requireBound(int bound, int least) {
        if (bound < least) {
            throw new IllegalArgumentException(
                    "the bound must be at least %d, but was %d".formatted(least, bound));
        }
    }
}
