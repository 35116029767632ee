package dev.equipoise.app.partition;

import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/*
 * Functional performance model (Lastovetsky and Reddy; FuPerMod): a processor's time t(x) for x
 * units of work, known at measured points. Between points t is linear, below the first it falls
 * linearly to t(0) = 0, beyond the last it goes on with the last slope. Noise may make a larger size
 * look faster; adjacent violators are pooled to their mean first, so that t never falls and a
 * partition exists.
 */

/** The time that one worker needs for a given amount of work. */
public final class SpeedFunction {

    private final double[] sizes;
    private final double[] seconds;

    private SpeedFunction(double[] sizes, double[] seconds) {
        this.sizes = sizes;
        this.seconds = seconds;
    }

    /**
     * A measured time.
     *
     * @param size units of work, greater than 0
     * @param seconds their time, greater than 0
     */
    public record Point(double size, double seconds) {

        public Point {
            if (!(size > 0) || !(seconds > 0)) {
                throw new IllegalArgumentException(
                        "size and seconds must be positive, but were %s and %s"
                                .formatted(size, seconds));
            }
        }
    }

    /**
     * Piecewise linear through the points.
     *
     * @param points at least one, in any order; a size measured twice counts with its mean
     */
    public static SpeedFunction piecewise(List<Point> points) {
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
        return new SpeedFunction(
                toArray(ascending.keySet()), Monotone.pooled(toArray(ascending.values())));
    }

    private static double[] toArray(Collection<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /**
     * The time for some work.
     *
     * @param size units of work, at least 0
     * @return seconds, never falling with the size
     */
    public double seconds(double size) {
        int last = sizes.length - 1;
        if (size <= sizes[0]) {
            return seconds[0] * size / sizes[0];
        }
        if (size >= sizes[last]) {
            return seconds[last] + lastSlope() * (size - sizes[last]);
        }
        int right = 1;
        while (sizes[right] < size) {
            right++;
        }
        double part = (size - sizes[right - 1]) / (sizes[right] - sizes[right - 1]);
        return seconds[right - 1] + part * (seconds[right] - seconds[right - 1]);
    }

    /** With one point, or a flat end, the mean speed at the last point. */
    private double lastSlope() {
        int last = sizes.length - 1;
        double slope =
                last == 0
                        ? 0
                        : (seconds[last] - seconds[last - 1]) / (sizes[last] - sizes[last - 1]);
        return slope > 0 ? slope : seconds[last] / sizes[last];
    }

    /** By ascending size. */
    public List<Point> points() {
        return IntStream.range(0, sizes.length)
                .mapToObj(i -> new Point(sizes[i], seconds[i]))
                .toList();
    }

    /** That of a worker that is slower by a factor. */
    public SpeedFunction slowedBy(double factor) {
        return factor == 1
                ? this
                : new SpeedFunction(
                        sizes, DoubleStream.of(seconds).map(it -> it * factor).toArray());
    }
}
