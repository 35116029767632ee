package dev.equipoise.app.monitor;

import dev.equipoise.app.telemetry.EpochStore.EpochTotal;
import dev.equipoise.app.telemetry.MetricStore.Steps;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * Maps the points of a run to positions on an axis. Quantities known at the ends of epochs only are
 * interpolated linearly between them.
 */
final class Scale {

    private final Axis axis;
    private final double rounds;

    /** Samples, bytes or seconds since the start at the end of each epoch; the first is 0. */
    private final double[] counts;

    /**
     * @param rounds rounds of an epoch
     * @param totals totals of the epochs that every rank has reported, from the first on without a
     *     gap
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

    private Scale(Axis axis, double rounds, double[] counts) {
        this.axis = axis;
        this.rounds = rounds;
        this.counts = counts;
    }

    /**
     * Creates the scale of the wall clock.
     *
     * @param rounds rounds of an epoch
     * @param ends seconds from the start of the run to the ends of its first epochs
     */
    static Scale wallClock(int rounds, List<Double> ends) {
        return new Scale(
                Axis.WALL_CLOCK,
                rounds,
                DoubleStream.concat(
                                DoubleStream.of(0), ends.stream().mapToDouble(Double::doubleValue))
                        .toArray());
    }

    /** Returns the position; NaN if it is not known yet. */
    double x(long step, double seconds) {
        return switch (axis) {
            case STEP -> (double) step;
            case EPOCH -> step / rounds;
            case SECONDS -> seconds;
            case WALL_CLOCK, SAMPLES, BYTES -> interpolated(step / rounds);
        };
    }

    /**
     * Returns the steps whose positions may be in a range of the axis; all steps for seconds, which
     * each rank measures.
     */
    Steps steps(double from, double to) {
        return switch (axis) {
            case STEP -> new Steps((long) Math.ceil(from), (long) Math.floor(to));
            case EPOCH ->
                    new Steps((long) Math.floor(from * rounds), (long) Math.ceil(to * rounds));
            case SECONDS -> Steps.ALL;
            case WALL_CLOCK, SAMPLES, BYTES -> new Steps(startOfEpochAt(from), endOfEpochAt(to));
        };
    }

    /** Returns the first step of the last epoch that begins before a position; 0 if none does. */
    private long startOfEpochAt(double position) {
        int epoch = counts.length - 1;
        while (epoch > 0 && counts[epoch] >= position) {
            epoch--;
        }
        return (long) (epoch * rounds);
    }

    /**
     * Returns the last step of the first epoch that ends after a position, or of the last epoch.
     */
    private long endOfEpochAt(double position) {
        int epoch = 0;
        while (epoch < counts.length - 1 && counts[epoch] <= position) {
            epoch++;
        }
        return (long) (epoch * rounds);
    }

    private double interpolated(double epochs) {
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
