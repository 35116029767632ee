package dev.equipoise.performance.partition;

import java.util.List;

/** Piecewise linear speed function through points that ascend in size and never fall in time. */
record LinearPieces(List<Point> points) implements SpeedFunction {

    LinearPieces {
        points = List.copyOf(points);
    }

    @Override
    public double seconds(double size) {
        Point first = points.getFirst();
        if (size <= first.size()) {
            return first.seconds() * size / first.size();
        }
        Point left = points.get(leftOf(size));
        return left.seconds() + slope(size) * (size - left.size());
    }

    @Override
    public double slope(double size) {
        Point first = points.getFirst();
        if (size < first.size()) {
            return first.seconds() / first.size();
        }
        int left = leftOf(size);
        return left == points.size() - 1
                ? lastSlope()
                : slope(points.get(left), points.get(left + 1));
    }

    /** Returns the index of the last point whose size is at most the given one, or 0. */
    private int leftOf(double size) {
        int left = points.size() - 1;
        while (left > 0 && points.get(left).size() > size) {
            left--;
        }
        return left;
    }

    /**
     * Slope beyond the last point; after one point or a flat end, the mean seconds per unit up to
     * there.
     */
    private double lastSlope() {
        Point last = points.getLast();
        double slope = points.size() == 1 ? 0 : slope(points.get(points.size() - 2), last);
        return slope > 0 ? slope : last.seconds() / last.size();
    }

    private static double slope(Point left, Point right) {
        return (right.seconds() - left.seconds()) / (right.size() - left.size());
    }

    @Override
    public SpeedFunction slowedBy(double factor) {
        return factor == 1
                ? this
                : new LinearPieces(
                        points.stream()
                                .map(it -> new Point(it.size(), it.seconds() * factor))
                                .toList());
    }
}
