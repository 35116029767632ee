package dev.equipoise.agent.order;

import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * What one thread of a rank decides by what happens to come first; all else follows from the plan.
 * That thread alone uses it.
 */
@FunctionalInterface
public interface Decisions {

    /** As it comes. */
    Decisions FREE = IntSupplier::getAsInt;

    /**
     * Decides, where the next step depends on time.
     *
     * @param free what it comes to by itself; may not be asked
     */
    int choose(IntSupplier free);

    /** The same for a question that is answered yes or no. */
    default boolean isSo(BooleanSupplier free) {
        return choose(() -> free.getAsBoolean() ? 1 : 0) == 1;
    }
}
