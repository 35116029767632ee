package dev.equipoise.protocol;

/**
 * One point of a speed function.
 *
 * @param size the kernel's size: samples of a training step, side of a matrix
 * @param meanSeconds mean time of one execution
 * @param repetitions executions measured
 * @param confidenceSeconds half width of the confidence interval of the mean
 * @param deviationSeconds sample standard deviation
 */
public record MeasuredPoint(
        int size,
        double meanSeconds,
        int repetitions,
        double confidenceSeconds,
        double deviationSeconds) {

    public MeasuredPoint {
        Rules.atLeast("size", size, 1);
        Rules.atLeast("meanSeconds", meanSeconds, Double.MIN_VALUE);
        Rules.atLeast("repetitions", repetitions, 1);
        Rules.atLeast("confidenceSeconds", confidenceSeconds, 0.0);
        Rules.atLeast("deviationSeconds", deviationSeconds, 0.0);
    }
}
