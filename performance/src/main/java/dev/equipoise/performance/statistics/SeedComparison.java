package dev.equipoise.performance.statistics;

import static dev.equipoise.performance.statistics.MeanEstimate.mean;
import static dev.equipoise.performance.statistics.MeanEstimate.standardError;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares a figure of two groups by seed. Seeds that both groups have are paired, which removes
 * the variance that a seed causes in both (Law and Kelton 2000, common random numbers). Groups with
 * too few common seeds are compared as independent samples, with Welch's interval (Welch 1947).
 */
public final class SeedComparison {

    private SeedComparison() {}

    /**
     * Returns the seeds by which two groups are paired: those that both have, if they are four or
     * more or all of the smaller group; else none, since few pairs of large groups tell less than
     * all their values.
     */
    public static <T> SortedSet<Long> paired(SortedMap<Long, T> own, SortedMap<Long, T> other) {
        SortedSet<Long> common = new TreeSet<>(own.keySet());
        common.retainAll(other.keySet());
        return common.size() >= MeanEstimate.MIN_CONFIDENCE_VALUES
                        || common.size() == Math.min(own.size(), other.size())
                ? common
                : Collections.emptySortedSet();
    }

    /**
     * Estimates the mean of own minus other.
     *
     * @param own values by seed
     * @param other values by seed
     * @param range possible differences
     * @return null if a group is empty
     */
    public static @Nullable MeanEstimate difference(
            SortedMap<Long, Double> own, SortedMap<Long, Double> other, ValueRange range) {
        if (own.isEmpty() || other.isEmpty()) {
            return null;
        }
        SortedSet<Long> common = paired(own, other);
        return common.isEmpty()
                ? unpaired(List.copyOf(own.values()), List.copyOf(other.values()), range)
                : MeanEstimate.of(
                        common.stream().map(seed -> at(seed, own) - at(seed, other)).toList(),
                        range);
    }

    /**
     * Estimates the geometric mean of own over other. The interval is computed on a log scale, so
     * that it is positive and that of the inverse ratio is its inverse.
     *
     * @param own values by seed
     * @param other values by seed
     * @return null if a group is empty, or if a value is not positive, as 0 has no logarithm
     */
    public static @Nullable MeanEstimate ratio(
            SortedMap<Long, Double> own, SortedMap<Long, Double> other) {
        if (!isPositive(own) || !isPositive(other)) {
            return null;
        }
        MeanEstimate logarithm =
                difference(logarithms(own), logarithms(other), ValueRange.UNLIMITED);
        return logarithm == null ? null : logarithm.mapped(Math::exp);
    }

    private static double at(long seed, SortedMap<Long, Double> values) {
        return Objects.requireNonNull(values.get(seed));
    }

    private static boolean isPositive(SortedMap<Long, Double> values) {
        return values.values().stream().allMatch(it -> it > 0);
    }

    private static SortedMap<Long, Double> logarithms(SortedMap<Long, Double> values) {
        SortedMap<Long, Double> logarithms = new TreeMap<>();
        values.forEach((seed, value) -> logarithms.put(seed, Math.log(value)));
        return logarithms;
    }

    private static MeanEstimate unpaired(List<Double> own, List<Double> other, ValueRange range) {
        double mean = mean(own) - mean(other);
        int count = Math.min(own.size(), other.size());
        if (Math.max(own.size(), other.size()) == 1) {
            return MeanEstimate.exactly(1, mean);
        }
        return count < MeanEstimate.MIN_CONFIDENCE_VALUES
                ? new MeanEstimate(
                        count,
                        mean,
                        Collections.min(own) - Collections.max(other),
                        Collections.max(own) - Collections.min(other),
                        IntervalKind.RANGE,
                        List.of())
                : MeanEstimate.confidence(
                        count,
                        mean,
                        Math.hypot(standardError(own), standardError(other)),
                        degrees(own, other),
                        range);
    }

    /** Returns the degrees of freedom by Welch and Satterthwaite; 1 if nothing varies. */
    private static double degrees(List<Double> own, List<Double> other) {
        double ownVariance = Math.pow(standardError(own), 2);
        double otherVariance = Math.pow(standardError(other), 2);
        double divisor =
                ownVariance * ownVariance / (own.size() - 1)
                        + otherVariance * otherVariance / (other.size() - 1);
        return divisor == 0 ? 1 : Math.pow(ownVariance + otherVariance, 2) / divisor;
    }
}
