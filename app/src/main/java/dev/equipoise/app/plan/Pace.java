package dev.equipoise.app.plan;

import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.MeasuredPoint;
import java.util.List;

/**
 * How fast a worker computes, and how surely that is known.
 *
 * @param speed seconds of a training step over its mini-batch
 * @param jitter standard deviation of the logarithm of these seconds
 * @param relativeError half the confidence interval of the measured times, relative to them; 0 of
 *     what is told
 * @param disturbed which part of the measured points other load has disturbed; 0 of what is told
 * @param otherLoad by how much the load of its machine was other than it would be, as a part of the
 *     heavier one
 */
public record Pace(
        SpeedFunction speed,
        double jitter,
        double relativeError,
        double disturbed,
        double otherLoad) {

    Pace(SpeedFunction speed, double jitter, double relativeError) {
        this(speed, jitter, relativeError, 0, 0);
    }

    /** By a profile of at least one point. */
    static Pace measured(List<MeasuredPoint> points) {
        return new Pace(
                SpeedFunction.piecewise(
                        points.stream()
                                .map(it -> new SpeedFunction.Point(it.size(), it.meanSeconds()))
                                .toList()),
                rootOfLogarithm(
                        points.stream()
                                .mapToDouble(it -> it.deviationSeconds() / it.meanSeconds())
                                .average()
                                .orElseThrow()),
                points.stream()
                        .mapToDouble(it -> it.confidenceSeconds() / it.meanSeconds())
                        .average()
                        .orElseThrow(),
                points.stream().mapToInt(it -> it.disturbed() ? 1 : 0).average().orElseThrow(),
                0);
    }

    /** As a definition has it. */
    static Pace told(Execution.Speed speed, double jitter) {
        return new Pace(
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

    Pace slowedBy(double factor) {
        return new Pace(speed.slowedBy(factor), jitter, relativeError, disturbed, otherLoad);
    }

    /** The same where the load was other by this part. */
    Pace under(double other) {
        return new Pace(speed, jitter, relativeError, disturbed, other);
    }
}
