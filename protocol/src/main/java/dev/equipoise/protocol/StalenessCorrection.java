package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/**
 * Staleness correction of a gradient with the staleness tau: the number of updates between the
 * weights on which it was computed and those to which it is applied (docs/algorithms.md, section
 * 4.4).
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = StalenessCorrection.None.class, name = "none"),
    @JsonSubTypes.Type(value = StalenessCorrection.Inverse.class, name = "inverse"),
    @JsonSubTypes.Type(value = StalenessCorrection.InversePower.class, name = "inverse-power"),
    @JsonSubTypes.Type(value = StalenessCorrection.DropAbove.class, name = "drop-above")
})
public sealed interface StalenessCorrection {

    /** Returns the factor of the learning rate for a gradient with this staleness. */
    default double factor(long tau) {
        return switch (this) {
            case Inverse _ -> 1.0 / Math.max(1, tau);
            case InversePower(double power) -> 1 / StrictMath.pow((double) Math.max(1, tau), power);
            case None _, DropAbove _ -> 1;
        };
    }

    /** Returns whether a gradient with this staleness is dropped. */
    default boolean drops(long tau) {
        return this instanceof DropAbove(int staleness) && tau > staleness;
    }

    /** No correction. */
    record None() implements StalenessCorrection {}

    /** Divides the learning rate by max(1, tau) (Zhang et al. 2016, arXiv 1511.05950). */
    record Inverse() implements StalenessCorrection {}

    /**
     * Divides the learning rate by a power of max(1, tau).
     *
     * @param power above 0, at most 4
     */
    record InversePower(double power) implements StalenessCorrection {

        private static final double MAX_POWER = 4;

        public InversePower {
            Rules.between("power", power, Double.MIN_NORMAL, MAX_POWER);
        }
    }

    /**
     * Drops gradients above a staleness.
     *
     * @param staleness the highest tau that is applied
     */
    record DropAbove(int staleness) implements StalenessCorrection {

        public DropAbove {
            Rules.atLeast("staleness", staleness, 0);
        }
    }
}
