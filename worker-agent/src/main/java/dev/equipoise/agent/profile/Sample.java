package dev.equipoise.agent.profile;

import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.Precision;
import org.hipparchus.distribution.continuous.TDistribution;

/*
 * Stopping rule after FuPerMod (docs/algorithms.md, section 7): the mean of n repetitions with the
 * standard deviation s lies within t(confidence, n - 1) s / sqrt(n) of the true one. Mean and
 * deviation are updated as by Welford (Note on a method for calculating corrected sums of squares
 * and products, 1962), which loses no digits when s is small against the mean.
 */

/**
 * Measured times of one point so far, in seconds. Immutable.
 *
 * @param squares sum of the squared deviations from the mean
 */
record Sample(int repetitions, double mean, double squares) {

    static final Sample EMPTY = new Sample(0, 0, 0);

    /** Least number of repetitions with a deviation. */
    private static final int MIN_REPETITIONS = 2;

    Sample plus(double seconds) {
        double difference = seconds - mean;
        double newMean = mean + difference / (repetitions + 1);
        return new Sample(repetitions + 1, newMean, squares + difference * (seconds - newMean));
    }

    double deviation() {
        return repetitions < MIN_REPETITIONS ? 0 : Math.sqrt(squares / (repetitions - 1));
    }

    /**
     * Returns half the width of the confidence interval of the mean; infinite below two
     * repetitions.
     */
    double halfWidth(double confidence) {
        if (repetitions < MIN_REPETITIONS) {
            return Double.POSITIVE_INFINITY;
        }
        double quantile =
                new TDistribution(repetitions - 1)
                        .inverseCumulativeProbability((1 + confidence) / 2);
        return quantile * deviation() / Math.sqrt(repetitions);
    }

    /** Returns whether the sample is precise enough, or its budget is spent. */
    boolean suffices(Precision precision) {
        return isSpent(precision, 1)
                || precision.isExact(repetitions, mean, halfWidth(precision.confidence()));
    }

    /** Returns whether a fraction of the repetitions or of the time is spent. */
    boolean isSpent(Precision precision, double fraction) {
        return repetitions >= MIN_REPETITIONS && precision.spent(repetitions, mean) >= fraction;
    }

    MeasuredPoint at(int size, double confidence, boolean disturbed) {
        return new MeasuredPoint(
                size, mean, repetitions, halfWidth(confidence), deviation(), disturbed);
    }
}
