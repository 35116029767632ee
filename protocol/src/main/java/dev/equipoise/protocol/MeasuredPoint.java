package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Measured point of a speed function.
 *
 * @param size size of the kernel: samples of a training step, side of a matrix
 * @param meanSeconds mean time of one execution
 * @param repetitions number of measured executions
 * @param confidenceSeconds half-width of the confidence interval of the mean
 * @param deviationSeconds sample standard deviation
 * @param disturbed whether other load on the host affected the result, also after a repetition
 * @param sigmoidSeconds mean time of one sigmoid of the hidden layer, for the training step of a
 *     perceptron; null for all other kernels, and if the agent does not measure it
 */
public record MeasuredPoint(
        int size,
        double meanSeconds,
        int repetitions,
        double confidenceSeconds,
        double deviationSeconds,
        boolean disturbed,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double sigmoidSeconds) {

    public MeasuredPoint {
        Rules.atLeast("size", size, 1);
        Rules.atLeast("meanSeconds", meanSeconds, Double.MIN_VALUE);
        Rules.atLeast("repetitions", repetitions, 1);
        Rules.atLeast("confidenceSeconds", confidenceSeconds, 0.0);
        Rules.atLeast("deviationSeconds", deviationSeconds, 0.0);
        if (sigmoidSeconds != null) {
            Rules.positive("sigmoidSeconds", sigmoidSeconds);
        }
    }

    /** Creates a point without the time of a sigmoid. */
    public MeasuredPoint(
            int size,
            double meanSeconds,
            int repetitions,
            double confidenceSeconds,
            double deviationSeconds,
            boolean disturbed) {
        this(size, meanSeconds, repetitions, confidenceSeconds, deviationSeconds, disturbed, null);
    }

    /** Returns this point with the time of a sigmoid. */
    public MeasuredPoint withSigmoid(@Nullable Double seconds) {
        return new MeasuredPoint(
                size,
                meanSeconds,
                repetitions,
                confidenceSeconds,
                deviationSeconds,
                disturbed,
                seconds);
    }

    /** Returns this point with all times divided by a factor. */
    public MeasuredPoint dividedBy(double factor) {
        return new MeasuredPoint(
                size,
                meanSeconds / factor,
                repetitions,
                confidenceSeconds / factor,
                deviationSeconds / factor,
                disturbed,
                sigmoidSeconds == null ? null : sigmoidSeconds / factor);
    }

    /**
     * Returns the seconds of a sigmoid at the largest size where it was measured; empty if at none.
     *
     * @param points by ascending size
     */
    public static OptionalDouble sigmoidOf(List<MeasuredPoint> points) {
        for (MeasuredPoint point : points.reversed()) {
            Double seconds = point.sigmoidSeconds();
            if (seconds != null) {
                return OptionalDouble.of(seconds);
            }
        }
        return OptionalDouble.empty();
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
