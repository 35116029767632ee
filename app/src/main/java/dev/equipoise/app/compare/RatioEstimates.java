package dev.equipoise.app.compare;

import dev.equipoise.performance.statistics.MeanEstimate;
import dev.equipoise.performance.statistics.SeedComparison;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Ratios of the figures of a seed group to those of the baseline, as {@link Ratios} has them, with
 * their intervals on a log scale: geometric means over the common seeds, or over all seeds if there
 * is no common one. Null if a completed run of either group lacks the figure, or has 0.
 *
 * @param timeToTarget speedup of the training time until the target accuracy
 * @param bytesToTarget ratio of the bytes sent until the target accuracy
 * @param trainingTime speedup of the training time
 * @param communicationTime speedup of the communication time
 * @param synchronizationTime speedup of the time of waiting for other ranks
 * @param bytesSent ratio of the bytes that all ranks sent
 * @param samples ratio of the samples that all ranks trained on
 */
@Schema(name = "EstimatedRatios")
record RatioEstimates(
        @Nullable MeanEstimate timeToTarget,
        @Nullable MeanEstimate bytesToTarget,
        @Nullable MeanEstimate trainingTime,
        @Nullable MeanEstimate communicationTime,
        @Nullable MeanEstimate synchronizationTime,
        @Nullable MeanEstimate bytesSent,
        @Nullable MeanEstimate samples) {

    static RatioEstimates of(SeedRuns own, SeedRuns baseline) {
        return new RatioEstimates(
                ratio(baseline, own, Figures::secondsToTarget),
                ratio(own, baseline, Figures::bytesToTarget),
                ratio(baseline, own, Figures::trainingSeconds),
                ratio(baseline, own, Figures::communicationSeconds),
                ratio(baseline, own, Figures::synchronizationSeconds),
                ratio(own, baseline, Figures::bytesSent),
                ratio(own, baseline, Figures::samples));
    }

    private static @Nullable MeanEstimate ratio(
            SeedRuns part, SeedRuns whole, Function<Figures, @Nullable Number> figure) {
        return SeedComparison.ratio(
                part.values(run -> figure.apply(run.figures())),
                whole.values(run -> figure.apply(run.figures())));
    }

    /** Returns the geometric means. */
    Ratios means() {
        return new Ratios(
                mean(timeToTarget),
                mean(bytesToTarget),
                mean(trainingTime),
                mean(communicationTime),
                mean(synchronizationTime),
                mean(bytesSent),
                mean(samples));
    }

    private static @Nullable Double mean(@Nullable MeanEstimate estimate) {
        return estimate == null ? null : estimate.mean();
    }
}
