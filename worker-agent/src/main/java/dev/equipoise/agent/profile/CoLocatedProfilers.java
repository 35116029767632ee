package dev.equipoise.agent.profile;

import java.util.function.IntUnaryOperator;

/**
 * Workers that measure at the same time on one host, this one included. They decide together on
 * each next step, so that all measure the same points.
 *
 * @param count 1 for a worker that measures alone
 * @param sum returns the sum of the values of all workers, once all have passed theirs
 */
record CoLocatedProfilers(int count, IntUnaryOperator sum) {

    static final CoLocatedProfilers NONE = new CoLocatedProfilers(1, own -> own);

    /** Returns whether a condition holds for at least one worker. */
    boolean any(boolean own) {
        return sum.applyAsInt(own ? 1 : 0) > 0;
    }
}
