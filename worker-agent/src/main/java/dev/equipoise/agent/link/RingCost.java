package dev.equipoise.agent.link;

/**
 * Cost of a ring, or of a part of one.
 *
 * @param slowest seconds of the slowest link
 * @param sum seconds of all links
 */
record RingCost(double slowest, double sum) {

    static final RingCost NONE = new RingCost(0, 0);

    static final RingCost WORST = new RingCost(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    /** Relative tolerance of sums, greater than the rounding of P additions for any useful P. */
    private static final double ROUNDING = 1e-12;

    RingCost plus(double seconds) {
        return new RingCost(Math.max(slowest, seconds), sum + seconds);
    }

    /**
     * Compares the slowest link, then the sum. Sums that may differ by rounding alone are equal, so
     * that the order of the additions does not decide.
     */
    boolean isBelow(RingCost other) {
        return slowest < other.slowest
                || (slowest == other.slowest && sum < other.sum * (1 - ROUNDING));
    }
}
