package dev.equipoise.app.run;

import dev.equipoise.app.run.EpochResultRepository.EpochTotal;
import java.util.List;

/**
 * Where the points of a run lie on an axis. What is known at the ends of epochs alone lies on a
 * line between them.
 */
final class Scale {

    private final Axis axis;
    private final double rounds;

    /** Of what the axis counts, at the end of each epoch; first 0. */
    private final double[] counts;

    /**
     * @param rounds of an epoch
     * @param totals of the epochs that all ranks have told, from the first on without a gap
     */
    Scale(Axis axis, int rounds, List<EpochTotal> totals) {
        this.axis = axis;
        this.rounds = rounds;
        this.counts = new double[totals.size() + 1];
        for (int epoch = 1; epoch < counts.length; epoch++) {
            EpochTotal total = totals.get(epoch - 1);
            counts[epoch] =
                    counts[epoch - 1] + (axis == Axis.SAMPLES ? total.samples() : total.bytes());
        }
    }

    /** NaN where it is not known yet. */
    double x(long step, double seconds) {
        return switch (axis) {
            case STEP -> (double) step;
            case EPOCH -> step / rounds;
            case SECONDS -> seconds;
            case SAMPLES, BYTES -> between(step / rounds);
        };
    }

    private double between(double epochs) {
        int whole = (int) epochs;
        double part = epochs - whole;
        if (whole >= counts.length || (whole == counts.length - 1 && part > 0)) {
            return Double.NaN;
        }
        return part == 0
                ? counts[whole]
                : counts[whole] + part * (counts[whole + 1] - counts[whole]);
    }
}
