package dev.equipoise.app.compare;

import org.jspecify.annotations.Nullable;

/**
 * Figures beside those of the baseline. Of times it is baseline over own, a speed-up; of bytes and
 * samples own over baseline. Null where one of the two is not known, or the divisor is 0.
 */
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

    /** JSON has no number for what a division by zero gives. */
    static @Nullable Double over(@Nullable Number part, @Nullable Number whole) {
        return part == null || whole == null || whole.doubleValue() == 0
                ? null
                : Double.valueOf(part.doubleValue() / whole.doubleValue());
    }
}
