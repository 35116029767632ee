package dev.equipoise.app.compare;

import java.util.List;
import org.hipparchus.distribution.continuous.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Mean with its 95 % Student confidence interval, over the values of a seed group
 * (docs/algorithms.md, section 10).
 *
 * @param count number of values
 * @param low lower end of the interval; null for one value, which has no spread
 * @param high upper end of the interval; null likewise
 */
record MeanEstimate(int count, double mean, @Nullable Double low, @Nullable Double high) {

    private static final double UPPER_END = 0.975;

    /** Computes mean ± t(0.975, n - 1) s / sqrt(n); null without values. */
    static @Nullable MeanEstimate of(List<Double> values) {
        if (values.isEmpty()) {
            return null;
        }
        int count = values.size();
        double mean = values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        if (count == 1) {
            return new MeanEstimate(count, mean, null, null);
        }
        double half = halfWidth(values, mean);
        return new MeanEstimate(count, mean, mean - half, mean + half);
    }

    private static double halfWidth(List<Double> values, double mean) {
        int count = values.size();
        double squares =
                values.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum();
        return new TDistribution(count - 1).inverseCumulativeProbability(UPPER_END)
                * Math.sqrt(squares / (count - 1) / count);
    }
}
