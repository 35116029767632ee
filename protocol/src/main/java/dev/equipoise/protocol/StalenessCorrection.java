package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/**
 * What becomes of a gradient that is tau updates late: so many have come between the weights that
 * it was computed on and those that it meets.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = StalenessCorrection.None.class, name = "none"),
    @JsonSubTypes.Type(value = StalenessCorrection.Inverse.class, name = "inverse"),
    @JsonSubTypes.Type(value = StalenessCorrection.InversePower.class, name = "inverse-power"),
    @JsonSubTypes.Type(value = StalenessCorrection.DropAbove.class, name = "drop-above")
})
public sealed interface StalenessCorrection {

    /** By how much the learning rate is multiplied for a gradient that is so many updates late. */
    default double factor(long tau) {
        return switch (this) {
            case Inverse _ -> 1.0 / Math.max(1, tau);
            case InversePower(double power) -> 1 / StrictMath.pow((double) Math.max(1, tau), power);
            case None _, DropAbove _ -> 1;
        };
    }

    /** Whether it is not to be used at all. */
    default boolean drops(long tau) {
        return this instanceof DropAbove(int staleness) && tau > staleness;
    }

    /** It counts as any other. */
    record None() implements StalenessCorrection {}

    /** Its learning rate is divided by max(1, tau) (Zhang and others 2016, arXiv 1511.05950). */
    record Inverse() implements StalenessCorrection {}

    /**
     * Its learning rate is divided by a power of max(1, tau).
     *
     * @param power above 0, at most 4
     */
    record InversePower(double power) implements StalenessCorrection {

        private static final double MOST = 4;

        public InversePower {
            Rules.between("power", power, Double.MIN_NORMAL, MOST);
        }
    }

    /**
     * It is thrown away if it is later than this.
     *
     * @param staleness the greatest tau that still counts
     */
    record DropAbove(int staleness) implements StalenessCorrection {

        public DropAbove {
            Rules.atLeast("staleness", staleness, 0);
        }
    }
}
