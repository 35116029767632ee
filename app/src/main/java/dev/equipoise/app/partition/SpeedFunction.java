package dev.equipoise.app.partition;

import java.util.Comparator;
import java.util.List;

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
     * @param points at least one; of different sizes, in any order
     */
    public static SpeedFunction piecewise(List<Point> points) {
        if (points.isEmpty()) {
            throw new IllegalArgumentException("a speed function needs at least one point");
        }
        List<Point> ascending =
                points.stream().sorted(Comparator.comparingDouble(Point::size)).toList();
        double[] sizes = ascending.stream().mapToDouble(Point::size).toArray();
        double[] seconds = ascending.stream().mapToDouble(Point::seconds).toArray();
        return new SpeedFunction(sizes, Monotone.pooled(seconds));
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
}
