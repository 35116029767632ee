package dev.equipoise.agent.link;

/**
 * How good a ring, or a part of one, is.
 *
 * @param slowest seconds of the slowest link
 * @param sum seconds of all links
 */
record RingCost(double slowest, double sum) {

    static final RingCost NONE = new RingCost(0, 0);

    static final RingCost WORST = new RingCost(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    /** More than P additions can be off, for any P of use. */
    private static final double ROUNDING = 1e-12;

    RingCost plus(double seconds) {
        return new RingCost(Math.max(slowest, seconds), sum + seconds);
    }

    /**
     * The slowest link decides, and the sum between equals. Sums that may differ by rounding alone
     * are equal, so that the order of the additions does not decide between rings as good.
     */
    boolean isBelow(RingCost other) {
        return slowest < other.slowest
                || (slowest == other.slowest && sum < other.sum * (1 - ROUNDING));
    }
}
