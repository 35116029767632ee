package dev.equipoise.protocol;

/**
 * Stopping rule of a measurement (FuPerMod; docs/algorithms.md, section 7): at least {@code
 * minRepetitions}, then as soon as the half-width of the confidence interval is within {@code
 * relativeError} of the mean, and in any case at {@code maxRepetitions} or after {@code
 * secondsPerPoint}.
 *
 * @param minRepetitions least number of repetitions
 * @param maxRepetitions most repetitions
 * @param confidence confidence level of the interval, from 0 to 1
 * @param relativeError greatest half-width of the interval, relative to the mean
 * @param secondsPerPoint longest time of a point, in seconds
 */
public record Precision(
        int minRepetitions,
        int maxRepetitions,
        double confidence,
        double relativeError,
        double secondsPerPoint) {

    /** 5 to 100 repetitions, 95 % confidence within 2.5 % of the mean, 4 s per point. */
    public static final Precision DEFAULT = new Precision(5, 100, 0.95, 0.025, 4.0);

    private static final int MAX_REPETITIONS = 100_000;

    /** Limit of the time per point, which a disturbed point may exceed threefold. */
    private static final double MAX_SECONDS_PER_POINT = 300;

    public Precision {
        Rules.atLeast("minRepetitions", minRepetitions, 2);
        Rules.between("maxRepetitions", maxRepetitions, minRepetitions, MAX_REPETITIONS);
        Rules.atLeast("confidence", confidence, 0.5);
        Rules.below("confidence", confidence, 1.0);
        Rules.atLeast("relativeError", relativeError, 0.0);
        Rules.between("secondsPerPoint", secondsPerPoint, 0, MAX_SECONDS_PER_POINT);
    }

    /** Returns the progress of a point from 0 to 1, where 1 means that the measurement may stop. */
    public double progress(MeasuredPoint point) {
        return isExact(point.repetitions(), point.meanSeconds(), point.confidenceSeconds())
                ? 1
                : Math.min(1, spent(point.repetitions(), point.meanSeconds()));
    }

    /** Returns whether the confidence interval is narrow enough after enough repetitions. */
    public boolean isExact(int repetitions, double meanSeconds, double confidenceSeconds) {
        return repetitions >= minRepetitions && confidenceSeconds <= relativeError * meanSeconds;
    }

    /**
     * Returns the used fraction of the repetitions or of the time, whichever is larger; 1 or more
     * means that all is used.
     */
    public double spent(int repetitions, double meanSeconds) {
        return Math.max(
                repetitions / (double) maxRepetitions, repetitions * meanSeconds / secondsPerPoint);
    }
}
