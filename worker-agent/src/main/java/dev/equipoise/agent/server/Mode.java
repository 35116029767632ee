package dev.equipoise.agent.server;

/** When a server applies gradients, and when it answers. */
public sealed interface Mode {

    /** When all workers have pushed theirs; all get the new values in the same round. */
    record Synchronous(Aggregate aggregate) implements Mode {}

    /**
     * In rounds as well, but the servers keep no weights: all workers get the aggregate, to step by
     * themselves. Equal workers stay equal to the bit. Where gradients come coded, it is coded too,
     * without loss: the elements that are not zero.
     */
    record Aggregating(Aggregate aggregate) implements Mode {}

    /** Each on arrival; whoever pulls gets the values of that moment. */
    record Asynchronous() implements Mode {}

    /**
     * Each on arrival, but nobody gets far ahead of the slowest (Ho and others 2013): the pull of a
     * worker that has made more than {@code bound} iterations more waits until the slowest has
     * caught up.
     *
     * @param bound in iterations; 0 for lock step
     */
    record StaleSynchronous(int bound) implements Mode {

        public StaleSynchronous {
            requireBound(bound, 0);
        }
    }

    /**
     * Each on arrival, until a worker has made {@code bound} iterations more than the slowest: then
     * all stop after the iteration that they are in, and get the same values (Tolstobrov).
     *
     * @param bound in iterations; 1 for lock step
     */
    record Barrier(int bound) implements Mode {

        public Barrier {
            requireBound(bound, 1);
        }
    }

    /** What becomes of the workers' gradients of one round. */
    enum Aggregate {
        /** Their sum (Li et al. 2018). */
        SUM,
        /** Their sum over the number of workers; servers do not count (Zhu et al. 2020). */
        MEAN
    }

    private static void requireBound(int bound, int least) {
        if (bound < least) {
            throw new IllegalArgumentException(
                    "the bound must be at least %d, but was %d".formatted(least, bound));
        }
    }
}
