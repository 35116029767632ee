package dev.equipoise.app.plan;

import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.MeasuredPoint;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * The seconds of a training step of a worker as a function of its mini-batch, with their accuracy.
 *
 * @param speed the speed function
 * @param jitter standard deviation of the logarithm of the seconds
 * @param relativeError half the confidence interval of the measured times, relative to them; 0 for
 *     a specified speed
 * @param disturbed fraction of the measured points with a disturbance; 0 for a specified speed
 * @param sigmoid seconds of a sigmoid, for a perceptron; empty if it was not measured
 * @param otherLoad difference between measured and expected host load, relative to the larger one
 */
public record StepTimeModel(
        SpeedFunction speed,
        double jitter,
        double relativeError,
        double disturbed,
        OptionalDouble sigmoid,
        double otherLoad) {

    StepTimeModel(SpeedFunction speed, double jitter, double relativeError) {
        this(speed, jitter, relativeError, 0, OptionalDouble.empty(), 0);
    }

    /** Creates the model of a profile of at least one point. */
    static StepTimeModel measured(List<MeasuredPoint> points) {
        return new StepTimeModel(
                SpeedFunction.piecewise(
                        points.stream()
                                .map(it -> new SpeedFunction.Point(it.size(), it.meanSeconds()))
                                .toList()),
                rootOfLogarithm(mean(points, it -> it.deviationSeconds() / it.meanSeconds())),
                mean(points, it -> it.confidenceSeconds() / it.meanSeconds()),
                mean(points, it -> it.disturbed() ? 1 : 0),
                MeasuredPoint.sigmoidOf(points),
                0);
    }

    private static double mean(List<MeasuredPoint> points, ToDoubleFunction<MeasuredPoint> figure) {
        return points.stream().mapToDouble(figure).average().orElseThrow();
    }

    /** Creates the model of a speed from a definition or request. */
    static StepTimeModel specified(Execution.Speed speed, double jitter) {
        return new StepTimeModel(
                SpeedFunction.piecewise(
                        speed.points().stream()
                                .map(it -> new SpeedFunction.Point(it.size(), it.seconds()))
                                .toList()),
                jitter,
                0);
    }

    /** Sigma of a log-normal distribution with this coefficient of variation. */
    private static double rootOfLogarithm(double variation) {
        return Math.sqrt(Math.log1p(variation * variation));
    }

    StepTimeModel slowedBy(double factor) {
        return new StepTimeModel(
                speed.slowedBy(factor),
                jitter,
                relativeError,
                disturbed,
                sigmoid.stream().map(it -> it * factor).findFirst(),
                otherLoad);
    }

    /** The model with a relative difference of the host load. */
    StepTimeModel under(double loadDifference) {
        return new StepTimeModel(speed, jitter, relativeError, disturbed, sigmoid, loadDifference);
    }
}
