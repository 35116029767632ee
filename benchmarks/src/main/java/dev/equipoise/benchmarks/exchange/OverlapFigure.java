package dev.equipoise.benchmarks.exchange;

/**
 * Times of a round of one network by its ways to exchange the gradient; medians, in seconds.
 *
 * @param megabytesPerSecond bandwidth of a link in one direction
 * @param buckets number of buckets of the gradient
 * @param computeSeconds of a round without an exchange
 * @param wholeSeconds with the exchange of the whole gradient after the backward pass
 * @param inTurnSeconds with the buckets one after the other after the backward pass
 * @param overlappedSeconds with the buckets during the backward pass
 * @param expectedSeconds overlapped round by the recurrence of the simulator, from the computing
 *     time and the bandwidth
 */
record OverlapFigure(
        String network,
        int ranks,
        double megabytesPerSecond,
        int buckets,
        double computeSeconds,
        double wholeSeconds,
        double inTurnSeconds,
        double overlappedSeconds,
        double expectedSeconds) {

    /** Returns how many times as fast a round is with overlap as with the whole gradient. */
    double speedup() {
        return wholeSeconds / overlappedSeconds;
    }
}
