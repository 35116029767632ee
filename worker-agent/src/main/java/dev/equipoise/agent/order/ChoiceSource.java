package dev.equipoise.agent.order;

import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * Source of the choices of one thread of a rank that depend on timing; all else follows from the
 * plan. Only that thread uses it.
 */
@FunctionalInterface
public interface ChoiceSource {

    /** Chooses freely and records nothing. */
    ChoiceSource FREE = IntSupplier::getAsInt;

    /**
     * Makes a choice that depends on timing.
     *
     * @param free supplies the free choice; not called in a replay
     */
    int choose(IntSupplier free);

    /** Makes a choice between true and false that depends on timing. */
    default boolean isSo(BooleanSupplier free) {
        return choose(() -> free.getAsBoolean() ? 1 : 0) == 1;
    }
}
