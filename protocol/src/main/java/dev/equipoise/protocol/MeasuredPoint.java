package dev.equipoise.protocol;

/**
 * One point of a speed function.
 *
 * @param size the kernel's size: samples of a training step, side of a matrix
 * @param meanSeconds mean time of one execution
 * @param repetitions executions measured
 * @param confidenceSeconds half width of the confidence interval of the mean
 * @param deviationSeconds sample standard deviation
 * @param disturbed whether other load on the machine is in it, also after it was repeated
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

    /** The same, as if all of it had taken only a part of the time. */
    public MeasuredPoint dividedBy(double factor) {
        return new MeasuredPoint(
                size,
                meanSeconds / factor,
                repetitions,
                confidenceSeconds / factor,
                deviationSeconds / factor,
                disturbed);
    }

    /** Of a machine that was quiet. */
    public MeasuredPoint(
            int size,
            double meanSeconds,
            int repetitions,
            double confidenceSeconds,
            double deviationSeconds) {
        this(size, meanSeconds, repetitions, confidenceSeconds, deviationSeconds, false);
    }
}
