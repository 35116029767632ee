package dev.equipoise.performance.partition;

import java.util.List;

/**
 * Geometric solver (Lastovetsky and Reddy 2007; docs/algorithms.md, section 7). A line through the
 * origin of the speed diagram, with slope 1/T, cuts the speed curve of rank i at the size x_i that
 * takes time T. The solver bisects T until the x_i sum to the total. As times never fall, each cut
 * is unique except on flat stretches, where the solver takes the largest size.
 */
final class GeometricSolver {

    /** Each bisection halves the error, so that 2^-60 of the largest time is left. */
    private static final int STEPS = 60;

    private GeometricSolver() {}

    /**
     * Finds sizes that take equal time on all ranks.
     *
     * @param total units of work, more than 0
     * @return sizes in rank order, whose sum is about the total
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

    /** Returns the largest size, up to the total, that takes at most the given time. */
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
