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
}
