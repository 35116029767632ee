package dev.equipoise.performance.partition;

import java.util.List;
import java.util.stream.IntStream;
import org.hipparchus.analysis.interpolation.AkimaSplineInterpolator;
import org.hipparchus.analysis.polynomials.PolynomialFunction;

/**
 * Akima's spline (A new method of interpolation and smooth curve fitting, J. ACM 17, 1970) between
 * points that ascend in size and do not fall in time. A cubic that falls somewhere between its two
 * points gives way to the line between them. Below the first point time rises from nothing along a
 * line, beyond the last it goes on along the last line.
 */
final class AkimaSpline implements SpeedFunction {

    private final LinearPieces pieces;

    /** Of the segments between the points, each over the distance from its left point. */
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

    /** Whether a slope of second degree is anywhere below 0: at an end, or where it turns. */
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

    /** Negative outside the points. */
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
