package dev.equipoise.agent.link;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

/**
 * How thoroughly a link is measured.
 *
 * @param sizes in bytes, rising, at least two
 * @param budget for one size; all sizes together must stay below the time for which a channel
 *     endures silence, as ranks that rest wait for those that measure
 * @param mostRoundTrips of one size, at least {@value #LEAST_ROUND_TRIPS}
 */
public record LinkPlan(List<Long> sizes, Duration budget, int mostRoundTrips) {

    /** A median of fewer would follow a single hiccup. */
    static final int LEAST_ROUND_TRIPS = 3;

    /** After these the code has been compiled. */
    private static final int MOST_WARM_UPS = 2_000;

    private static final double NANOS = 1e9;

    /** From 1 KiB to 64 MiB: some three seconds a pair on fast links, five on slow ones. */
    public static final LinkPlan DEFAULT =
            new LinkPlan(
                    LongStream.iterate(1 << 10, size -> size <= 64 << 20, size -> 4 * size)
                            .boxed()
                            .toList(),
                    Duration.ofMillis(500),
                    1_000);

    public LinkPlan {
        sizes = List.copyOf(sizes);
        if (sizes.size() < 2 || sizes.getFirst() < 1 || !isRising(sizes)) {
            throw new IllegalArgumentException(
                    "sizes must be two or more, positive and rising, but were " + sizes);
        }
        if (!budget.isPositive()) {
            throw new IllegalArgumentException("the budget must be positive, but was " + budget);
        }
        if (mostRoundTrips < LEAST_ROUND_TRIPS) {
            throw new IllegalArgumentException(
                    "there must be at least %d round trips, but were to be %d"
                            .formatted(LEAST_ROUND_TRIPS, mostRoundTrips));
        }
    }

    private static boolean isRising(List<Long> sizes) {
        for (int i = 1; i < sizes.size(); i++) {
            if (sizes.get(i) <= sizes.get(i - 1)) {
                return false;
            }
        }
        return true;
    }

    /** How often to measure what takes so long each time, in seconds. */
    int roundTrips(double expected) {
        return within(expected, mostRoundTrips);
    }

    /** How often to do what takes so long, in seconds, before it counts. */
    int warmUps(double expected) {
        return within(expected, MOST_WARM_UPS);
    }

    private int within(double expected, double most) {
        return (int) Math.clamp(budgetSeconds() / expected, LEAST_ROUND_TRIPS, most);
    }

    /** Whether the budget has room for what takes so long each time, in seconds. */
    boolean affords(double expected) {
        return LEAST_ROUND_TRIPS * expected <= budgetSeconds();
    }

    private double budgetSeconds() {
        return budget.toNanos() / NANOS;
    }
}
