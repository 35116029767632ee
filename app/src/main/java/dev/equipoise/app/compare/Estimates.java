package dev.equipoise.app.compare;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Mean figures of a seed group. A figure is null if one of the runs does not have it: a mean over
 * only the runs that reached a target would flatter.
 */
@Schema(name = "EstimatedFigures")
record Estimates(
        @Nullable MeanEstimate finalAccuracy,
        @Nullable MeanEstimate bestAccuracy,
        @Nullable MeanEstimate replicaAccuracy,
        @Nullable MeanEstimate bestReplicaAccuracy,
        @Nullable MeanEstimate finalTestLoss,
        @Nullable MeanEstimate finalTrainingLoss,
        @Nullable MeanEstimate secondsToTarget,
        @Nullable MeanEstimate bytesToTarget,
        @Nullable MeanEstimate trainingSeconds,
        @Nullable MeanEstimate communicationSeconds,
        @Nullable MeanEstimate synchronizationSeconds,
        @Nullable MeanEstimate hiddenSeconds,
        @Nullable MeanEstimate encodeSeconds,
        @Nullable MeanEstimate bytesSent,
        @Nullable MeanEstimate samples) {

    static Estimates of(List<Figures> runs) {
        return new Estimates(
                over(runs, Figures::finalAccuracy),
                over(runs, Figures::bestAccuracy),
                over(runs, Figures::replicaAccuracy),
                over(runs, Figures::bestReplicaAccuracy),
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

    private static @Nullable MeanEstimate over(
            List<Figures> runs, Function<Figures, @Nullable Number> figure) {
        List<Double> known =
                runs.stream()
                        .map(figure)
                        .filter(Objects::nonNull)
                        .map(Number::doubleValue)
                        .toList();
        return known.size() < runs.size() ? null : MeanEstimate.of(known);
    }

    /** Returns the means as the figures of one run. */
    Figures means() {
        return new Figures(
                mean(finalAccuracy),
                mean(bestAccuracy),
                mean(replicaAccuracy),
                mean(bestReplicaAccuracy),
                null,
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

    private static @Nullable Double mean(@Nullable MeanEstimate estimate) {
        return estimate == null ? null : estimate.mean();
    }

    private static @Nullable Long rounded(@Nullable MeanEstimate estimate) {
        return Optional.ofNullable(estimate).map(it -> Math.round(it.mean())).orElse(null);
    }
}
