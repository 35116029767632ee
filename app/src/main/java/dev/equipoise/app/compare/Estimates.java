package dev.equipoise.app.compare;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The figures of runs that differ by their seeds alone. Null is a figure that one of them does not
 * have: a mean over those alone that reached a target would flatter.
 */
record Estimates(
        @Nullable Estimate finalAccuracy,
        @Nullable Estimate bestAccuracy,
        @Nullable Estimate replicaAccuracy,
        @Nullable Estimate finalTestLoss,
        @Nullable Estimate finalTrainingLoss,
        @Nullable Estimate secondsToTarget,
        @Nullable Estimate bytesToTarget,
        @Nullable Estimate trainingSeconds,
        @Nullable Estimate communicationSeconds,
        @Nullable Estimate synchronizationSeconds,
        @Nullable Estimate hiddenSeconds,
        @Nullable Estimate encodeSeconds,
        @Nullable Estimate bytesSent,
        @Nullable Estimate samples) {

    static Estimates of(List<Figures> runs) {
        return new Estimates(
                over(runs, Figures::finalAccuracy),
                over(runs, Figures::bestAccuracy),
                over(runs, Figures::replicaAccuracy),
                over(runs, Figures::finalTestLoss),
                over(runs, Figures::finalTrainingLoss),
                over(runs, Figures::secondsToTarget),
                over(runs, Figures::bytesToTarget),
                over(runs, Figures::trainingSeconds),
                over(runs, Figures::communicationSeconds),
                over(runs, Figures::synchronizationSeconds),
                over(runs, Figures::hiddenSeconds),
                over(runs, Figures::encodeSeconds),
                over(runs, Figures::bytesSent),
                over(runs, Figures::samples));
    }

    private static @Nullable Estimate over(
            List<Figures> runs, Function<Figures, @Nullable Number> figure) {
        List<Double> known =
                runs.stream()
                        .map(figure)
                        .filter(Objects::nonNull)
                        .map(Number::doubleValue)
                        .toList();
        return known.size() < runs.size() ? null : Estimate.of(known);
    }

    /** The means as if they were the figures of one run. */
    Figures means() {
        return new Figures(
                mean(finalAccuracy),
                mean(bestAccuracy),
                mean(replicaAccuracy),
                mean(finalTestLoss),
                mean(finalTrainingLoss),
                mean(secondsToTarget),
                rounded(bytesToTarget),
                mean(trainingSeconds),
                mean(communicationSeconds),
                mean(synchronizationSeconds),
                mean(hiddenSeconds),
                mean(encodeSeconds),
                rounded(bytesSent),
                rounded(samples));
    }

    private static @Nullable Double mean(@Nullable Estimate estimate) {
        return estimate == null ? null : estimate.mean();
    }

    private static @Nullable Long rounded(@Nullable Estimate estimate) {
        return Optional.ofNullable(estimate).map(it -> Math.round(it.mean())).orElse(null);
    }
}
