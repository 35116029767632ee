package dev.equipoise.agent.codec;

/** Above which magnitude elements are sent. */
sealed interface Level {

    double ROUNDING = 1 - 0x1p-50;

    /** The same threshold in every round. */
    record Fixed(float threshold) implements Level {

        public Fixed {
            if (!(threshold >= 0) || Float.isInfinite(threshold)) {
                throw new IllegalArgumentException(
                        "the threshold must be finite and not negative, but was " + threshold);
            }
        }
    }

    /** The one that lets about this fraction of the elements pass. */
    record Sampled(double fraction) implements Level {

        public Sampled {
            requireFraction(fraction);
        }
    }

    /** Refuses what is no share of a vector. */
    static void requireFraction(double fraction) {
        if (!(fraction > 0 && fraction <= 1)) {
            throw new IllegalArgumentException(
                    "the fraction must be above 0 and at most 1, but was " + fraction);
        }
    }

    /**
     * ceil(fraction elements), where a product that rounding put above an integer is that integer.
     */
    static int count(double fraction, int elements) {
        return (int) Math.ceil(fraction * elements * ROUNDING);
    }
}
