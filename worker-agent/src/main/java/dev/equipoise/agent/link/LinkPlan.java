package dev.equipoise.agent.link;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Settings of a link measurement.
 *
 * @param sizes message sizes in bytes, rising, at least two
 * @param budget time for one size; all sizes together must stay below the idle timeout of the
 *     channel, since resting ranks wait for measuring ones
 * @param mostRoundTrips limit of round trips of one size, at least {@value #MIN_ROUND_TRIPS}
 */
public record LinkPlan(List<Long> sizes, Duration budget, int mostRoundTrips) {

    /** Least number of round trips: a median of fewer would follow a single outlier. */
    static final int MIN_ROUND_TRIPS = 3;

    /** Number of warm-ups after which the just-in-time compiler has compiled the code. */
    private static final int MAX_WARM_UPS = 2_000;

    private static final double NANOS_PER_SECOND = 1e9;

    /** Sizes from 1 KiB to 64 MiB: about 3 s a pair on fast links, 5 s on slow ones. */
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
        if (mostRoundTrips < MIN_ROUND_TRIPS) {
            throw new IllegalArgumentException(
                    "there must be at least %d round trips, but the plan has %d"
                            .formatted(MIN_ROUND_TRIPS, mostRoundTrips));
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

    /** Returns the number of repetitions, given the expected seconds of each. */
    int roundTrips(double expected) {
        return within(expected, mostRoundTrips);
    }

    /** Returns the number of warm-ups, given the expected seconds of each. */
    int warmUps(double expected) {
        return within(expected, MAX_WARM_UPS);
    }

    private int within(double expected, double max) {
        return (int) Math.clamp(budgetSeconds() / expected, MIN_ROUND_TRIPS, max);
    }

    /**
     * Returns whether the budget allows the least number of repetitions, given the seconds of each.
     */
    boolean affords(double expected) {
        return MIN_ROUND_TRIPS * expected <= budgetSeconds();
    }

    private double budgetSeconds() {
        return budget.toNanos() / NANOS_PER_SECOND;
    }
}
