package dev.equipoise.app.compare;

import dev.equipoise.performance.statistics.MeanEstimate;
import dev.equipoise.performance.statistics.ValueRange;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Mean figures over the seeds of a seed group. A figure is null if one of the runs does not have
 * it: a mean over only the runs that reached a target would flatter.
 *
 * @param finalAccuracy test accuracy at the last evaluation
 * @param bestAccuracy highest test accuracy
 * @param replicaAccuracy mean of the replicas' own test accuracies
 * @param bestReplicaAccuracy highest of the replicas' own test accuracies
 * @param finalTestLoss test loss at the last evaluation
 * @param finalTrainingLoss training loss of the last epoch
 * @param secondsToTarget training time until the target accuracy, in seconds
 * @param bytesToTarget bytes sent until the target accuracy
 * @param trainingSeconds training time of the slowest rank, in seconds
 * @param communicationSeconds time of communication, in seconds
 * @param synchronizationSeconds time of waiting for other ranks, in seconds
 * @param hiddenSeconds overlapped communication time, in seconds
 * @param encodeSeconds time of the codec, in seconds
 * @param bytesSent bytes that all ranks sent
 * @param samples samples that all ranks trained on
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

    static Estimates of(SeedRuns runs) {
        return new Estimates(
                over(runs, Figures::finalAccuracy, ValueRange.FRACTION),
                over(runs, Figures::bestAccuracy, ValueRange.FRACTION),
                over(runs, Figures::replicaAccuracy, ValueRange.FRACTION),
                over(runs, Figures::bestReplicaAccuracy, ValueRange.FRACTION),
                over(runs, Figures::finalTestLoss, ValueRange.NON_NEGATIVE),
                over(runs, Figures::finalTrainingLoss, ValueRange.NON_NEGATIVE),
                over(runs, Figures::secondsToTarget, ValueRange.NON_NEGATIVE),
                over(runs, Figures::bytesToTarget, ValueRange.NON_NEGATIVE),
                over(runs, Figures::trainingSeconds, ValueRange.NON_NEGATIVE),
                over(runs, Figures::communicationSeconds, ValueRange.NON_NEGATIVE),
                over(runs, Figures::synchronizationSeconds, ValueRange.NON_NEGATIVE),
                over(runs, Figures::hiddenSeconds, ValueRange.NON_NEGATIVE),
                over(runs, Figures::encodeSeconds, ValueRange.NON_NEGATIVE),
                over(runs, Figures::bytesSent, ValueRange.NON_NEGATIVE),
                over(runs, Figures::samples, ValueRange.NON_NEGATIVE));
    }

    private static @Nullable MeanEstimate over(
            SeedRuns runs, Function<Figures, @Nullable Number> figure, ValueRange range) {
        return MeanEstimate.of(
                List.copyOf(runs.values(run -> figure.apply(run.figures())).values()), range);
    }
}
