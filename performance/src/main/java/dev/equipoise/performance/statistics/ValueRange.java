package dev.equipoise.performance.statistics;

/**
 * Possible values of a figure, in its unit. Confidence intervals are clipped to it.
 *
 * @param least least possible value
 * @param most greatest possible value; may be infinite
 */
public record ValueRange(double least, double most) {

    /** Accuracies. */
    public static final ValueRange FRACTION = new ValueRange(0, 1);

    /** Differences of two accuracies. */
    public static final ValueRange FRACTION_DIFFERENCE = new ValueRange(-1, 1);

    /** Losses, times, bytes and counts. */
    public static final ValueRange NON_NEGATIVE = new ValueRange(0, Double.POSITIVE_INFINITY);

    /** Logarithms of ratios. */
    static final ValueRange UNLIMITED =
            new ValueRange(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

    double clip(double value) {
        return Math.clamp(value, least, most);
    }
}
