package dev.equipoise.agent.codec;

/** Determines the magnitude above which elements are sent. */
sealed interface ThresholdRule {

    /** A fixed threshold, the same in every round. */
    record Fixed(float threshold) implements ThresholdRule {

        public Fixed {
            if (!(threshold >= 0) || Float.isInfinite(threshold)) {
                throw new IllegalArgumentException(
                        "the threshold must be finite and not negative, but was " + threshold);
            }
        }
    }

    /** A threshold estimated from a sample, which about this fraction of the elements exceeds. */
    record Sampled(Fraction fraction) implements ThresholdRule {}
}
