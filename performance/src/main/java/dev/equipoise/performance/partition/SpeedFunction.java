package dev.equipoise.performance.partition;

import dev.equipoise.protocol.Partitioning;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/*
 * Functional performance model (Lastovetsky and Reddy; FuPerMod): a processor's time t(x) for x
 * units of work, known at measured points. Noise may make a larger size look faster; adjacent
 * violators are pooled to their mean first, so that t never falls and a partition exists.
 */

/** The time that one worker needs for a given amount of work, which never falls with the amount. */
public sealed interface SpeedFunction permits LinearPieces, AkimaSpline {

    /** An Akima spline through fewer has no inner segment of its own. */
    int LEAST_AKIMA = 5;

    /**
     * A measured time.
     *
     * @param size units of work, greater than 0
     * @param seconds their time, greater than 0
     */
    record Point(double size, double seconds) {

        public Point {
            if (!(size > 0 && size < Double.POSITIVE_INFINITY)
                    || !(seconds > 0 && seconds < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "size and seconds must be positive and finite, but were %s and %s"
                                .formatted(size, seconds));
            }
        }
    }

    /**
     * Through the points, by a model; Akima through fewer than five is piecewise linear.
     *
     * @param points at least one, in any order; a size measured twice counts with its mean
     * @param typical the size at which a constant model takes its speed
     */
    static SpeedFunction of(Partitioning.Model model, List<Point> points, double typical) {
        SpeedFunction pieces = piecewise(points);
        return switch (model) {
            case PIECEWISE -> pieces;
            case CONSTANT -> constant(typical / pieces.seconds(typical));
            case AKIMA ->
                    pieces.points().size() < LEAST_AKIMA
                            ? pieces
                            : AkimaSpline.through(pieces.points());
        };
    }

    /**
     * The same speed at every size.
     *
     * @param unitsPerSecond greater than 0
     */
    static SpeedFunction constant(double unitsPerSecond) {
        return new LinearPieces(List.of(new Point(1, 1 / unitsPerSecond)));
    }

    /**
     * Linear between the points, below the first from nothing, beyond the last with the last slope.
     *
     * @param points at least one, in any order; a size measured twice counts with its mean
     */
    static SpeedFunction piecewise(List<Point> points) {
        if (points.isEmpty()) {
            throw new IllegalArgumentException("a speed function needs at least one point");
        }
        SortedMap<Double, Double> ascending =
                points.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Point::size,
                                        TreeMap::new,
                                        Collectors.averagingDouble(Point::seconds)));
        return new LinearPieces(Monotone.pooled(ascending));
    }

    /**
     * The time for some work.
     *
     * @param size units of work, at least 0
     * @return seconds, 0 for none, never falling with the size
     */
    double seconds(double size);

    /** Seconds for one unit more, at least 0: what follows where two pieces meet. */
    double slope(double size);

    /** By ascending size, never falling in time. */
    List<Point> points();

    /** That of a worker that is slower by a factor. */
    SpeedFunction slowedBy(double factor);
}
