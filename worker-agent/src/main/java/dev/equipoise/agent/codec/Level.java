package dev.equipoise.agent.codec;

/** Above which magnitude elements are sent. */
sealed interface Level {

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
    record Sampled(Fraction fraction) implements Level {}
}
