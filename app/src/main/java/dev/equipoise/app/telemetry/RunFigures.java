package dev.equipoise.app.telemetry;

import dev.equipoise.app.telemetry.EpochStore.WholeEpoch;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Summary of the epochs so far, stored with the run so that a list of runs reads no epochs.
 *
 * @param epochSeconds median over the epochs of the slowest rank's wall time
 * @param testAccuracy at the last evaluation; null before the first
 * @param testLoss mean over the predictions of the last evaluation
 * @param replicasIdentical whether the weights of all ranks that train were equal to the bit after
 *     every epoch
 */
public record RunFigures(
        double epochSeconds,
        @Nullable Double testAccuracy,
        @Nullable Double testLoss,
        boolean replicasIdentical) {

    /** Summarizes at least one epoch, in ascending order. */
    public static RunFigures of(List<WholeEpoch> epochs) {
        return new RunFigures(
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

    /** Returns the median of at least one value. */
    public static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
