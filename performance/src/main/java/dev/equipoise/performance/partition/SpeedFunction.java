package dev.equipoise.performance.partition;

import dev.equipoise.protocol.Partitioning;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Speed function of one worker: its seconds t(x) for x units of work, interpolated between measured
 * points (functional performance model, Lastovetsky and Reddy 2007; docs/algorithms.md, section 7).
 * Noise may make a larger size look faster, so adjacent violators are pooled to their mean first: t
 * never falls, and a partition exists.
 */
public sealed interface SpeedFunction permits LinearPieces, AkimaSpline {

    /** Fewest points of an Akima spline: through fewer, no inner segment is its own. */
    int MIN_AKIMA_POINTS = 5;

    /**
     * Measured seconds of a size.
     *
     * @param size units of work, greater than 0
     * @param seconds greater than 0
     */
    record Point(double size, double seconds) {

        public Point {
            if (!(size > 0 && size < Double.POSITIVE_INFINITY)
                    || !(seconds > 0 && seconds < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "size %s or seconds %s are out of range: greater than 0 and finite"
                                .formatted(size, seconds));
            }
        }
    }

    /**
     * Creates a speed function through points. The Akima model with fewer than five points is
     * piecewise linear.
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
                    pieces.points().size() < MIN_AKIMA_POINTS
                            ? pieces
                            : AkimaSpline.through(pieces.points());
        };
    }

    /**
     * Creates a constant performance model.
     *
     * @param unitsPerSecond greater than 0
     */
    static SpeedFunction constant(double unitsPerSecond) {
        return new LinearPieces(List.of(new Point(1, 1 / unitsPerSecond)));
    }

    /**
     * Creates a piecewise linear model: lines between the points, a line from the origin below the
     * first point, the last slope beyond the last point.
     *
     * @param points at least one, in any order; a size measured twice counts with its mean
     */
    static SpeedFunction piecewise(List<Point> points) {
        if (points.isEmpty()) {
            throw new IllegalArgumentException("a speed function has 0 points: at least 1");
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
     * Returns the seconds for a size; 0 for size 0, never falling with the size.
     *
     * @param size units of work, at least 0
     */
    double seconds(double size);

    /**
     * Returns the derivative in seconds per unit, at least 0; at a joint, that of the right piece.
     */
    double slope(double size);

    /** Returns the points by ascending size, never falling in time. */
    List<Point> points();

    /** Returns the speed function of a worker that is slower by a factor. */
    SpeedFunction slowedBy(double factor);
}
