package dev.equipoise.performance.partition;

import java.util.List;
import java.util.stream.IntStream;
import org.hipparchus.analysis.interpolation.AkimaSplineInterpolator;
import org.hipparchus.analysis.polynomials.PolynomialFunction;

/**
 * Akima spline (Akima, J. ACM 17, 1970; docs/algorithms.md, section 7) between points that ascend
 * in size and never fall in time. A line replaces each cubic that falls anywhere between its two
 * points. Below the first point the time is a line through the origin; beyond the last point it
 * continues with the last linear slope.
 */
final class AkimaSpline implements SpeedFunction {

    private final LinearPieces pieces;

    /** One cubic per segment, as a function of the distance from its left point. */
    private final List<PolynomialFunction> cubics;

    private AkimaSpline(LinearPieces pieces, List<PolynomialFunction> cubics) {
        this.pieces = pieces;
        this.cubics = cubics;
    }

    /**
     * @param points at least five
     */
    static AkimaSpline through(List<Point> points) {
        double[] sizes = points.stream().mapToDouble(Point::size).toArray();
        double[] seconds = points.stream().mapToDouble(Point::seconds).toArray();
        PolynomialFunction[] cubics =
                new AkimaSplineInterpolator().interpolate(sizes, seconds).getPolynomials();
        return new AkimaSpline(
                new LinearPieces(points),
                IntStream.range(0, cubics.length)
                        .mapToObj(i -> rising(cubics[i], points.get(i), points.get(i + 1)))
                        .toList());
    }

    private static PolynomialFunction rising(PolynomialFunction cubic, Point left, Point right) {
        double width = right.size() - left.size();
        return falls(cubic.polynomialDerivative(), width)
                ? new PolynomialFunction(left.seconds(), (right.seconds() - left.seconds()) / width)
                : cubic;
    }

    /** Returns whether a quadratic slope is negative at either end or at its minimum. */
    private static boolean falls(PolynomialFunction slope, double width) {
        double[] c = slope.getCoefficients();
        boolean turnsInside = c.length == 3 && c[2] > 0 && -c[1] > 0 && -c[1] < 2 * c[2] * width;
        return slope.value(0) < 0
                || slope.value(width) < 0
                || (turnsInside && slope.value(-c[1] / (2 * c[2])) < 0);
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
                : cubics.get(segment)
                        .polynomialDerivative()
                        .value(size - points().get(segment).size());
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
