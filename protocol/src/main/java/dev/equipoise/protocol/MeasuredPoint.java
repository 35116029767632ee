package dev.equipoise.protocol;

/**
 * Measured point of a speed function.
 *
 * @param size of the kernel: samples of a training step, side of a matrix
 * @param meanSeconds mean time of one execution
 * @param repetitions number of measured executions
 * @param confidenceSeconds half-width of the confidence interval of the mean
 * @param deviationSeconds sample standard deviation
 * @param disturbed whether other load on the host affected the result, also after a repetition
 */
public record MeasuredPoint(
        int size,
        double meanSeconds,
        int repetitions,
        double confidenceSeconds,
        double deviationSeconds,
        boolean disturbed) {

    public MeasuredPoint {
        Rules.atLeast("size", size, 1);
        Rules.atLeast("meanSeconds", meanSeconds, Double.MIN_VALUE);
        Rules.atLeast("repetitions", repetitions, 1);
        Rules.atLeast("confidenceSeconds", confidenceSeconds, 0.0);
        Rules.atLeast("deviationSeconds", deviationSeconds, 0.0);
    }

    /** Returns this point with all times divided by a factor. */
    public MeasuredPoint dividedBy(double factor) {
        return new MeasuredPoint(
                size,
                meanSeconds / factor,
                repetitions,
                confidenceSeconds / factor,
                deviationSeconds / factor,
                disturbed);
    }

    /** Creates an undisturbed point. */
    public MeasuredPoint(
            int size,
            double meanSeconds,
            int repetitions,
            double confidenceSeconds,
            double deviationSeconds) {
        this(size, meanSeconds, repetitions, confidenceSeconds, deviationSeconds, false);
    }
}
