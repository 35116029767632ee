package dev.equipoise.protocol;

/**
 * When a measurement may stop (ALGORITHMS section 7, after FuPerMod): at least {@code
 * minRepetitions}, then as soon as the confidence interval's half width is within {@code
 * relativeError} of the mean, and in any case at {@code maxRepetitions} or when a point has used
 * {@code secondsPerPoint}.
 */
public record Precision(
        int minRepetitions,
        int maxRepetitions,
        double confidence,
        double relativeError,
        double secondsPerPoint) {

    /** 5 to 100 repetitions, 95 % confidence within 2.5 % of the mean, 4 s a point. */
    public static final Precision DEFAULT = new Precision(5, 100, 0.95, 0.025, 4.0);

    private static final int MOST_REPETITIONS = 100_000;

    /** A point goes over its time threefold at most, where it is disturbed each time. */
    private static final double MOST_SECONDS_PER_POINT = 300;

    public Precision {
        Rules.atLeast("minRepetitions", minRepetitions, 2);
        Rules.between("maxRepetitions", maxRepetitions, minRepetitions, MOST_REPETITIONS);
        Rules.atLeast("confidence", confidence, 0.5);
        Rules.below("confidence", confidence, 1.0);
        Rules.atLeast("relativeError", relativeError, 0.0);
        Rules.between("secondsPerPoint", secondsPerPoint, 0, MOST_SECONDS_PER_POINT);
    }

    /** How far the measurement of a point has come, from 0 to 1, where 1 means that it may stop. */
    public double progress(MeasuredPoint point) {
        return isExact(point.repetitions(), point.meanSeconds(), point.confidenceSeconds())
                ? 1
                : Math.min(1, spent(point.repetitions(), point.meanSeconds()));
    }

    /** Whether the interval is narrow enough after enough repetitions. */
    public boolean isExact(int repetitions, double meanSeconds, double confidenceSeconds) {
        return repetitions >= minRepetitions && confidenceSeconds <= relativeError * meanSeconds;
    }

    /** The part of the repetitions, or of the time, that is used up; 1 and above is all. */
    public double spent(int repetitions, double meanSeconds) {
        return Math.max(
                repetitions / (double) maxRepetitions, repetitions * meanSeconds / secondsPerPoint);
    }
}
