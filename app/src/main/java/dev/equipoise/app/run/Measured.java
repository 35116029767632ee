package dev.equipoise.app.run;

import dev.equipoise.app.run.EpochResultRepository.WholeEpoch;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * What the epochs so far came to; kept with the run, so that a list of runs reads no epoch.
 *
 * @param epochSeconds median over the epochs of the slowest rank's wall time
 * @param testAccuracy when the test set was last looked at; null before the first time
 * @param testLoss mean over its predictions at that time
 * @param replicasIdentical whether the parameters of all ranks that train were the same, to the
 *     bit, after every epoch
 */
record Measured(
        double epochSeconds,
        @Nullable Double testAccuracy,
        @Nullable Double testLoss,
        boolean replicasIdentical) {

    /** Sums up at least one epoch, in their order. */
    static Measured of(List<WholeEpoch> epochs) {
        return new Measured(
                median(epochs.stream().mapToDouble(WholeEpoch::seconds)),
                last(epochs, WholeEpoch::testAccuracy),
                last(epochs, WholeEpoch::testLoss),
                epochs.stream().allMatch(epoch -> epoch.checksums() == 1));
    }

    private static @Nullable Double last(
            List<WholeEpoch> epochs, Function<WholeEpoch, @Nullable Double> figure) {
        return epochs.reversed().stream()
                .map(figure)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
