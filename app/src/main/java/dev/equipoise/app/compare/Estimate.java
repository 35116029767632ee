package dev.equipoise.app.compare;

import java.util.List;
import org.hipparchus.distribution.continuous.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * What some values, of runs that differ by chance alone, say of all such runs.
 *
 * @param count how many values there are
 * @param low where the 95 % confidence interval of the mean begins; null for one value, of which no
 *     spread is known
 * @param high where it ends
 */
record Estimate(int count, double mean, @Nullable Double low, @Nullable Double high) {

    private static final double UPPER_END = 0.975;

    /** Student's interval: mean ± t(n - 1) s / sqrt(n). There is none of no values. */
    static @Nullable Estimate of(List<Double> values) {
        if (values.isEmpty()) {
            return null;
        }
        int count = values.size();
        double mean = values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        if (count == 1) {
            return new Estimate(count, mean, null, null);
        }
        double squares =
                values.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum();
        double half =
                new TDistribution(count - 1).inverseCumulativeProbability(UPPER_END)
                        * Math.sqrt(squares / (count - 1) / count);
        return new Estimate(count, mean, mean - half, mean + half);
    }
}
