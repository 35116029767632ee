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

    public Precision {
        Rules.atLeast("minRepetitions", minRepetitions, 2);
        Rules.atLeast("maxRepetitions", maxRepetitions, minRepetitions);
        Rules.atLeast("confidence", confidence, 0.5);
        Rules.atLeast("relativeError", relativeError, 0.0);
        Rules.atLeast("secondsPerPoint", secondsPerPoint, 0.0);
    }

    /** How far the measurement of a point has come, from 0 to 1, where 1 means that it may stop. */
    public double progress(MeasuredPoint point) {
        boolean exact =
                point.repetitions() >= minRepetitions
                        && point.confidenceSeconds() <= relativeError * point.meanSeconds();
        double repeated = point.repetitions() / (double) maxRepetitions;
        double spent = point.repetitions() * point.meanSeconds() / secondsPerPoint;
        return exact ? 1 : Math.min(1, Math.max(repeated, spent));
    }

    /**
     * The same, with a part of the repetitions and of the time.
     *
     * @param part above 0, up to 1
     */
    public Precision within(double part) {
        int most = (int) Math.ceil(part * maxRepetitions);
        return new Precision(
                minRepetitions,
                Math.max(minRepetitions, most),
                confidence,
                relativeError,
                part * secondsPerPoint);
    }
}
