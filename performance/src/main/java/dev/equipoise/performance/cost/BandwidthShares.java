package dev.equipoise.performance.cost;

import java.util.List;

/**
 * Shares of a vector to send over links of unequal bandwidth, such that slow links do not delay the
 * others (docs/algorithms.md, section 6): the share over link i is {@code min(1, T Bw_i)}, so that
 * all links that carry only a part take the same time.
 */
public final class BandwidthShares {

    /** Number of bisections, which reduces any interval to about two neighboring numbers. */
    private static final int BISECTIONS = 200;

    private BandwidthShares() {}

    /**
     * Returns one share for each bandwidth, in proportion to it, but at most 1.
     *
     * @param mean wanted mean of the shares, from 0 to 1
     * @param bandwidths at least one, in any unit, above 0
     */
    public static List<Double> of(double mean, List<Double> bandwidths) {
        double low = 0;
        double high = 1 / bandwidths.stream().mapToDouble(it -> it).min().orElse(1);
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = low + (high - low) / 2;
            if (mean(middle, bandwidths) < mean) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double time = high;
        return bandwidths.stream().map(it -> Math.min(1, time * it)).toList();
    }

    private static double mean(double time, List<Double> bandwidths) {
        return bandwidths.stream().mapToDouble(it -> Math.min(1, time * it)).average().orElse(0);
    }
}
