package dev.equipoise.performance.partition;

import java.util.List;
import java.util.stream.IntStream;

/*
 * Akima 1970, A new method of interpolation and smooth curve fitting based on local procedures,
 * J. ACM 17 (docs/algorithms.md, section 7). With m_k the slope of the segment from point k to the
 * next one, the spline has the slope
 *
 *   (|m_(k+1) - m_k| m_(k-1) + |m_(k-1) - m_(k-2)| m_k) / (|m_(k+1) - m_k| + |m_(k-1) - m_(k-2)|)
 *
 * at point k, and the mean of m_(k-1) and m_k where the divisor is 0. The slopes of two more
 * segments at either end continue in equal steps: m_(-1) = 2 m_0 - m_1, m_(-2) = 2 m_(-1) - m_0.
 */
/**
 * Akima spline between points that ascend in size and never fall in time. A line replaces each
 * cubic that falls anywhere between its two points. Below the first point the time is a line
 * through the origin; beyond the last point it continues with the last linear slope.
 */
final class AkimaSpline implements SpeedFunction {

    /** Number of extrapolated slopes at either end. */
    private static final int EXTRAPOLATED = 2;

    /** Divisor, relative to the slopes, up to which it counts as 0: rounding alone. */
    private static final double ROUNDING = 1e-12;

    private final LinearPieces pieces;

    /** One cubic per segment, as a function of the distance from its left point. */
    private final List<Cubic> cubics;

    private AkimaSpline(LinearPieces pieces, List<Cubic> cubics) {
        this.pieces = pieces;
        this.cubics = cubics;
    }

    /**
     * @param points at least five
     */
    static AkimaSpline through(List<Point> points) {
        double[] slopes = slopes(points);
        return new AkimaSpline(
                new LinearPieces(points),
                IntStream.range(0, points.size() - 1)
                        .mapToObj(i -> rising(points.get(i), points.get(i + 1), slopes, i))
                        .toList());
    }

    /** Returns the slopes of all segments, with two extrapolated ones before and behind them. */
    private static double[] slopes(List<Point> points) {
        int segments = points.size() - 1;
        double[] slopes = new double[segments + 2 * EXTRAPOLATED];
        for (int i = 0; i < segments; i++) {
            slopes[i + EXTRAPOLATED] = slope(points.get(i), points.get(i + 1));
        }
        for (int i = EXTRAPOLATED - 1; i >= 0; i--) {
            slopes[i] = 2 * slopes[i + 1] - slopes[i + 2];
        }
        for (int i = segments + EXTRAPOLATED; i < slopes.length; i++) {
            slopes[i] = 2 * slopes[i - 1] - slopes[i - 2];
        }
        return slopes;
    }

    private static double slope(Point left, Point right) {
        return (right.seconds() - left.seconds()) / (right.size() - left.size());
    }

    /** Returns the slope of the spline at a point. */
    private static double slopeAt(int point, double[] slopes) {
        double left = slopes[point + 1];
        double right = slopes[point + 2];
        double ofLeft = Math.abs(slopes[point + 3] - right);
        double ofRight = Math.abs(left - slopes[point]);
        double sum = ofLeft + ofRight;
        return sum <= ROUNDING * (Math.abs(left) + Math.abs(right))
                ? (left + right) / 2
                : (ofLeft * left + ofRight * right) / sum;
    }

    private static Cubic rising(Point left, Point right, double[] slopes, int segment) {
        double width = right.size() - left.size();
        double secant = slopes[segment + EXTRAPOLATED];
        Cubic cubic =
                Cubic.of(
                        left.seconds(),
                        secant,
                        slopeAt(segment, slopes),
                        slopeAt(segment + 1, slopes),
                        width);
        return cubic.falls(width) ? new Cubic(left.seconds(), secant, 0, 0) : cubic;
    }

    /** Polynomial a + b x + c x^2 + d x^3. */
    private record Cubic(double a, double b, double c, double d) {

        /**
         * Returns the cubic with given slopes at the ends of a segment.
         *
         * @param secant slope of the line from end to end
         */
        static Cubic of(double value, double secant, double left, double right, double width) {
            return new Cubic(
                    value,
                    left,
                    (3 * secant - 2 * left - right) / width,
                    (left + right - 2 * secant) / (width * width));
        }

        double value(double x) {
            return a + x * (b + x * (c + x * d));
        }

        double slope(double x) {
            return b + x * (2 * c + x * 3 * d);
        }

        /** Returns whether the slope is negative at either end or at its minimum. */
        boolean falls(double width) {
            boolean turnsInside = d > 0 && c < 0 && -c < 3 * d * width;
            return slope(0) < 0 || slope(width) < 0 || (turnsInside && slope(-c / (3 * d)) < 0);
        }
    }

    @Override
    public double seconds(double size) {
        int segment = segment(size);
        return segment < 0
                ? pieces.seconds(size)
                : cubics.get(segment).value(size - points().get(segment).size());
    }

    @Override
    public double slope(double size) {
        int segment = segment(size);
        return segment < 0
                ? pieces.slope(size)
                : cubics.get(segment).slope(size - points().get(segment).size());
    }

    /** Returns the index of the segment that contains the size, or -1 outside the points. */
    private int segment(double size) {
        int segment = points().size() - 1;
        while (segment >= 0 && points().get(segment).size() > size) {
            segment--;
        }
        return segment < cubics.size() ? segment : -1;
    }

    @Override
    public List<Point> points() {
        return pieces.points();
    }

    @Override
    public SpeedFunction slowedBy(double factor) {
        return factor == 1 ? this : through(pieces.slowedBy(factor).points());
    }
}
