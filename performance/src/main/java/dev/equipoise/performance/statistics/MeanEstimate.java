package dev.equipoise.performance.statistics;

import java.util.Collections;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.hipparchus.distribution.continuous.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Mean over seeds with its interval (docs/algorithms.md, section 10). Two or three values show
 * their range, because Student's quantile for so few values gives intervals that mean nothing. Four
 * values or more show the 95 % Student confidence interval, clipped to the possible values.
 *
 * @param count number of values or pairs; of two unpaired groups, the smaller number
 * @param mean arithmetic mean; geometric for a ratio
 * @param low lower end of the interval; null for one value
 * @param high upper end of the interval; null for one value
 * @param interval meaning of the interval
 * @param points the values themselves if there are at most three; empty for unpaired groups
 */
public record MeanEstimate(
        int count,
        double mean,
        @Nullable Double low,
        @Nullable Double high,
        IntervalKind interval,
        List<Double> points) {

    /** Least number of values with a confidence interval. */
    public static final int MIN_CONFIDENCE_VALUES = 4;

    private static final double UPPER_END = 0.975;

    public MeanEstimate {
        points = List.copyOf(points);
    }

    /**
     * Estimates the mean of finite values.
     *
     * @param range possible values
     * @return null without values
     */
    public static @Nullable MeanEstimate of(List<Double> values, ValueRange range) {
        if (values.isEmpty()) {
            return null;
        }
        if (values.size() == 1) {
            return exactly(1, values.getFirst());
        }
        return values.size() < MIN_CONFIDENCE_VALUES
                ? range(values)
                : confidence(
                        values.size(),
                        mean(values),
                        standardError(values),
                        values.size() - 1.0,
                        range);
    }

    /** Creates the estimate of a value without a known spread. */
    public static MeanEstimate exactly(int count, double value) {
        return new MeanEstimate(count, value, null, null, IntervalKind.NONE, List.of(value));
    }

    private static MeanEstimate range(List<Double> values) {
        double low = Collections.min(values);
        double high = Collections.max(values);
        // The rounded mean of equal values may differ from them in the last bit.
        double mean = Math.clamp(mean(values), low, high);
        return new MeanEstimate(values.size(), mean, low, high, IntervalKind.RANGE, values);
    }

    /**
     * Computes mean ± t(0.975, degrees) error, clipped to the possible values.
     *
     * @param degrees degrees of freedom, above 0
     */
    static MeanEstimate confidence(
            int count, double mean, double error, double degrees, ValueRange range) {
        double half =
                error == 0
                        ? 0
                        : error
                                * new TDistribution(degrees)
                                        .inverseCumulativeProbability(UPPER_END);
        return new MeanEstimate(
                count,
                mean,
                range.clip(mean - half),
                range.clip(mean + half),
                IntervalKind.CONFIDENCE,
                List.of());
    }

    static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    /** Returns s / sqrt(n) of at least two values. */
    static double standardError(List<Double> values) {
        double mean = mean(values);
        double squares =
                values.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum();
        return Math.sqrt(squares / (values.size() - 1) / values.size());
    }

    /** Returns this estimate times a positive factor. */
    public MeanEstimate times(double factor) {
        return mapped(it -> factor * it);
    }

    /** Applies an increasing function to all values. */
    MeanEstimate mapped(DoubleUnaryOperator function) {
        return new MeanEstimate(
                count,
                function.applyAsDouble(mean),
                low == null ? null : (Double) function.applyAsDouble(low),
                high == null ? null : (Double) function.applyAsDouble(high),
                interval,
                points.stream().map(function::applyAsDouble).toList());
    }
}
