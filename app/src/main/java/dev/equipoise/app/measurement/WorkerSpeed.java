package dev.equipoise.app.measurement;

import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.WorkerId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Speed of a worker in training steps of one network.
 *
 * @param worker id of the worker
 * @param name display name of the worker
 * @param measured measured speed; null if the worker has no profile of the network
 */
record WorkerSpeed(WorkerId worker, String name, @Nullable MeasuredSpeed measured) {

    /** Bounds the speed if the confidence interval of the time reaches zero. */
    private static final int MAX_FASTER = 10;

    /**
     * Speed at one mini-batch size, from the newest profile under the lowest host load.
     *
     * @param batch mini-batch size, in samples
     * @param samplesPerSecond speed, in samples per second
     * @param low speed at the upper limit of the confidence interval of the time
     * @param high speed at the lower limit of the confidence interval of the time, which is at
     *     least a tenth of the mean time
     * @param hostLoad host load during the measurement, in percent of one worker at full speed
     * @param measuredAt time of the measurement
     * @param stale reasons why neither shares nor predictions use the profile; empty while it
     *     applies
     */
    record MeasuredSpeed(
            int batch,
            double samplesPerSecond,
            double low,
            double high,
            int hostLoad,
            Instant measuredAt,
            List<String> stale) {

        MeasuredSpeed {
            stale = List.copyOf(stale);
        }

        static MeasuredSpeed of(
                MeasuredPoint point, int hostLoad, Instant measuredAt, List<String> stale) {
            double mean = point.meanSeconds();
            double least = Math.max(mean - point.confidenceSeconds(), mean / MAX_FASTER);
            return new MeasuredSpeed(
                    point.size(),
                    point.size() / mean,
                    point.size() / (mean + point.confidenceSeconds()),
                    point.size() / least,
                    hostLoad,
                    measuredAt,
                    stale);
        }
    }
}
