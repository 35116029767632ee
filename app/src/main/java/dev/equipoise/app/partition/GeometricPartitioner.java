package dev.equipoise.app.partition;

import java.util.List;
import java.util.function.DoubleUnaryOperator;

/*
 * Geometric partitioning (Lastovetsky and Reddy, 2007): a line through the origin of the speed
 * diagram, with slope 1/T, cuts the speed curve of processor i at the size x_i that it does in time
 * T. The slope is bisected until the x_i sum to N. Times that never fall make every cut unique but
 * for flat stretches, where the largest size is taken.
 */
final class GeometricPartitioner {

    /** Bisections: each halves the error, so that 2^-60 of the largest time is left. */
    private static final int STEPS = 60;

    private GeometricPartitioner() {}

    /**
     * Finds the sizes that all ranks do in the same time.
     *
     * @param times seconds over work of each rank; 0 at 0, never falling
     * @param total units of work
     * @return real shares in rank order, which all take the same time and sum to about the total
     */
    static double[] shares(List<DoubleUnaryOperator> times, int total) {
        double low = 0;
        double high =
                times.stream().mapToDouble(time -> time.applyAsDouble(total)).max().orElseThrow();
        for (int step = 0; step < STEPS; step++) {
            double middle = (low + high) / 2;
            if (sum(times, middle, total) < total) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double time = high;
        return times.stream().mapToDouble(it -> workWithin(it, time, total)).toArray();
    }

    private static double sum(List<DoubleUnaryOperator> times, double seconds, int total) {
        return times.stream().mapToDouble(time -> workWithin(time, seconds, total)).sum();
    }

    /** The most work, up to the total, that is done in the given time. */
    private static double workWithin(DoubleUnaryOperator time, double seconds, int total) {
        if (time.applyAsDouble(total) <= seconds) {
            return total;
        }
        double low = 0;
        double high = total;
        for (int step = 0; step < STEPS; step++) {
            double middle = (low + high) / 2;
            if (time.applyAsDouble(middle) <= seconds) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
