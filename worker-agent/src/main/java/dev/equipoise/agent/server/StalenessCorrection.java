package dev.equipoise.agent.server;

/** What becomes of the learning rate for a gradient that is {@code staleness} updates late. */
public sealed interface StalenessCorrection {

    /** By how much the learning rate is multiplied. */
    default double factor(long staleness) {
        return 1;
    }

    /** Whether the gradient is not to be used at all. */
    default boolean drops(long staleness) {
        return false;
    }

    /** All gradients count the same. */
    record None() implements StalenessCorrection {}

    /** eta / max(1, staleness) (Zhang and others, Staleness-aware async-SGD, IJCAI 2016). */
    record Inverse() implements StalenessCorrection {

        @Override
        public double factor(long staleness) {
            return 1.0 / Math.max(1, staleness);
        }
    }

    /**
     * eta / max(1, staleness)^exponent.
     *
     * @param exponent above 0, at most 4
     */
    record InversePower(double exponent) implements StalenessCorrection {

        private static final double LARGEST = 4;

        public InversePower {
            if (!(exponent > 0 && exponent <= LARGEST)) {
                throw new IllegalArgumentException(
                        "the exponent must be above 0 and at most 4, but was " + exponent);
            }
        }

        @Override
        public double factor(long staleness) {
            return 1 / StrictMath.pow((double) Math.max(1, staleness), exponent);
        }
    }

    /**
     * Those that are too late are not applied.
     *
     * @param max the greatest staleness that still is, at least 0
     */
    record DropAbove(long max) implements StalenessCorrection {

        public DropAbove {
            if (max < 0) {
                throw new IllegalArgumentException(
                        "the greatest staleness must be at least 0, but was " + max);
            }
        }

        @Override
        public boolean drops(long staleness) {
            return staleness > max;
        }
    }
}
