package dev.equipoise.agent.codec;

/** Determines the magnitude above which elements are sent. */
sealed interface ThresholdRule {

    /** A fixed threshold of a gradient's elements, the same in every round. */
    record Fixed(float threshold) implements ThresholdRule {

        public Fixed {
            if (!(threshold >= 0) || Float.isInfinite(threshold)) {
                throw new IllegalArgumentException(
                        "the threshold must be finite and not negative, but was " + threshold);
            }
        }

        /**
         * Returns the threshold of a vector that holds a gradient times a factor. At the factor 0
         * no element exceeds it.
         */
        MagnitudeThreshold scaledBy(double factor) {
            return MagnitudeThreshold.above(
                    factor > 0
                            ? (float) Math.min(threshold * factor, Float.MAX_VALUE)
                            : Float.MAX_VALUE);
        }
    }

    /** A threshold estimated from a sample, which about this fraction of the elements exceeds. */
    record Sampled(Fraction fraction) implements ThresholdRule {}
}
