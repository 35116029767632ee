package dev.equipoise.app.run;

import dev.equipoise.app.run.EpochResultRepository.WholeEpoch;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * What the epochs so far came to; kept with the run, so that a list of runs reads no epoch.
 *
 * @param epochSeconds median over the epochs of the slowest rank's wall time
 * @param testAccuracy after the last epoch
 * @param replicasIdentical whether the parameters of all ranks were the same, to the bit, after
 *     every epoch
 */
record Measured(double epochSeconds, double testAccuracy, boolean replicasIdentical) {

    /** Sums up at least one epoch, in their order. */
    static Measured of(List<WholeEpoch> epochs) {
        return new Measured(
                median(epochs.stream().mapToDouble(WholeEpoch::seconds)),
                epochs.getLast().testAccuracy(),
                epochs.stream().allMatch(epoch -> epoch.checksums() == 1));
    }

    private static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
