package dev.equipoise.agent.profile;

import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.Precision;
import org.hipparchus.distribution.continuous.TDistribution;

/*
 * When to stop measuring, after FuPerMod (ALGORITHMS section 7): the mean of n repetitions with the
 * standard deviation s lies within t(confidence, n - 1) s / sqrt(n) of the true one. Mean and
 * deviation are updated as by Welford (Note on a method for calculating corrected sums of squares
 * and products, 1962), which does not lose digits when s is small against the mean.
 */

/**
 * The times of one point so far, in seconds; a value.
 *
 * @param squares sum of the squared deviations from the mean
 */
record Sample(int repetitions, double mean, double squares) {

    static final Sample EMPTY = new Sample(0, 0, 0);

    /** Without at least two there is no deviation. */
    private static final int LEAST_REPETITIONS = 2;

    Sample plus(double seconds) {
        double difference = seconds - mean;
        double newMean = mean + difference / (repetitions + 1);
        return new Sample(repetitions + 1, newMean, squares + difference * (seconds - newMean));
    }

    double deviation() {
        return repetitions < LEAST_REPETITIONS ? 0 : Math.sqrt(squares / (repetitions - 1));
    }

    /** Half the width of the confidence interval of the mean; infinite below two repetitions. */
    double halfWidth(double confidence) {
        if (repetitions < LEAST_REPETITIONS) {
            return Double.POSITIVE_INFINITY;
        }
        double quantile =
                new TDistribution(repetitions - 1)
                        .inverseCumulativeProbability((1 + confidence) / 2);
        return quantile * deviation() / Math.sqrt(repetitions);
    }

    /** Whether further repetitions would be a waste. */
    boolean suffices(Precision precision) {
        return isSpent(precision, 1)
                || precision.isExact(repetitions, mean, halfWidth(precision.confidence()));
    }

    /** Whether a part of the repetitions, or of the time, is used up. */
    boolean isSpent(Precision precision, double part) {
        return repetitions >= LEAST_REPETITIONS && precision.spent(repetitions, mean) >= part;
    }

    MeasuredPoint at(int size, double confidence, boolean disturbed) {
        return new MeasuredPoint(
                size, mean, repetitions, halfWidth(confidence), deviation(), disturbed);
    }
}
