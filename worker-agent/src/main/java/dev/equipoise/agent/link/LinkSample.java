package dev.equipoise.agent.link;

import java.util.Arrays;

/**
 * Measured time of messages of one size.
 *
 * @param bytes size of a message
 * @param seconds median time of one message
 * @param spread half of the interquartile range, in seconds
 */
record LinkSample(long bytes, double seconds, double spread) {

    private static final double NANOS_PER_SECOND = 1e9;

    LinkSample {
        if (bytes < 1) {
            throw new IllegalArgumentException(
                    "the size must be positive, but was %d bytes".formatted(bytes));
        }
        requireFinite(seconds > 0, "the time must be positive", seconds);
        requireFinite(spread >= 0, "the spread must not be negative", spread);
    }

    private static void requireFinite(boolean holds, String rule, double seconds) {
        if (!holds || Double.isInfinite(seconds)) {
            throw new IllegalArgumentException(
                    "%s and finite, but was %s seconds".formatted(rule, seconds));
        }
    }

    /** Computes a sample from the times of round trips, in any order; each is two messages. */
    static LinkSample ofRoundTrips(long bytes, long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        double interquartile = quantile(sorted, 0.75) - quantile(sorted, 0.25);
        return new LinkSample(
                bytes,
                quantile(sorted, 0.5) / 2 / NANOS_PER_SECOND,
                interquartile / 2 / 2 / NANOS_PER_SECOND);
    }

    /** Interpolates linearly between the two nearest values. */
    private static double quantile(long[] sorted, double fraction) {
        double index = fraction * (sorted.length - 1);
        int below = (int) index;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (index - below) * (sorted[above] - sorted[below]);
    }
}
