package dev.equipoise.performance.partition;

import java.util.List;

/*
 * Geometric partitioning (Lastovetsky and Reddy, 2007): a line through the origin of the speed
 * diagram, with slope 1/T, cuts the speed curve of processor i at the size x_i that it does in time
 * T. The slope is bisected until the x_i sum to N. Times that never fall make every cut unique but
 * for flat stretches, where the largest size is taken.
 */
final class GeometricSolver {

    /** Bisections: each halves the error, so that 2^-60 of the largest time is left. */
    private static final int STEPS = 60;

    private GeometricSolver() {}

    /**
     * Finds the sizes that all ranks do in the same time.
     *
     * @param total units of work, more than 0
     * @return in rank order; they sum to about the total
     */
    static double[] shares(List<SpeedFunction> speeds, double total) {
        double low = 0;
        double high = speeds.stream().mapToDouble(it -> it.seconds(total)).max().orElseThrow();
        for (int step = 0; step < STEPS; step++) {
            double middle = (low + high) / 2;
            if (sum(speeds, middle, total) < total) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double seconds = high;
        return speeds.stream().mapToDouble(it -> workWithin(it, seconds, total)).toArray();
    }

    private static double sum(List<SpeedFunction> speeds, double seconds, double total) {
        return speeds.stream().mapToDouble(it -> workWithin(it, seconds, total)).sum();
    }

    /** The most work, up to the total, that is done in the given time. */
    private static double workWithin(SpeedFunction speed, double seconds, double total) {
        if (speed.seconds(total) <= seconds) {
            return total;
        }
        double low = 0;
        double high = total;
        for (int step = 0; step < STEPS; step++) {
            double middle = (low + high) / 2;
            if (speed.seconds(middle) <= seconds) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
