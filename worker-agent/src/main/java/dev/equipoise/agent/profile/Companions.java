package dev.equipoise.agent.profile;

import java.util.function.IntUnaryOperator;

/**
 * The workers that measure at the same time because they share a machine, this one among them. They
 * decide together what comes next, so that all go through the same points.
 *
 * @param count 1 for a worker that measures alone
 * @param sum of what each of them tells; nobody learns it before all have told
 */
record Companions(int count, IntUnaryOperator sum) {

    static final Companions NONE = new Companions(1, own -> own);

    /** Whether something is true of one of them at least. */
    boolean any(boolean own) {
        return sum.applyAsInt(own ? 1 : 0) > 0;
    }
}
