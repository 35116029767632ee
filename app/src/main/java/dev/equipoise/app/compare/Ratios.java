package dev.equipoise.app.compare;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Ratios of the figures of a run or group to those of the baseline: speedups (baseline over own)
 * for times, own over baseline for bytes and samples. Null if one of the two is unknown, or the
 * divisor is 0.
 *
 * @param timeToTarget speedup of the training time until the target accuracy
 * @param bytesToTarget ratio of the bytes sent until the target accuracy
 * @param trainingTime speedup of the training time
 * @param communicationTime speedup of the communication time
 * @param synchronizationTime speedup of the time of waiting for other ranks
 * @param bytesSent ratio of the bytes that all ranks sent
 * @param samples ratio of the samples that all ranks trained on
 */
@Schema(name = "ComparedRatios")
record Ratios(
        @Nullable Double timeToTarget,
        @Nullable Double bytesToTarget,
        @Nullable Double trainingTime,
        @Nullable Double communicationTime,
        @Nullable Double synchronizationTime,
        @Nullable Double bytesSent,
        @Nullable Double samples) {

    static Ratios of(Figures own, Figures baseline) {
        return new Ratios(
                over(baseline.secondsToTarget(), own.secondsToTarget()),
                over(own.bytesToTarget(), baseline.bytesToTarget()),
                over(baseline.trainingSeconds(), own.trainingSeconds()),
                over(baseline.communicationSeconds(), own.communicationSeconds()),
                over(baseline.synchronizationSeconds(), own.synchronizationSeconds()),
                over(own.bytesSent(), baseline.bytesSent()),
                over(own.samples(), baseline.samples()));
    }

    /** Returns null for a division by zero, since JSON has no number for its result. */
    static @Nullable Double over(@Nullable Number part, @Nullable Number whole) {
        return part == null || whole == null || whole.doubleValue() == 0
                ? null
                : Double.valueOf(part.doubleValue() / whole.doubleValue());
    }
}
