package dev.equipoise.app.run;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a run stands in the queue.
 *
 * @param place from 1
 * @param predictedStart when it is expected to get its workers; null where nobody knows
 */
public record QueuePlace(int place, @Nullable Instant predictedStart) {

    private static final Duration LEAST_NOTICED = Duration.ofSeconds(5);

    /** A start that moves by less than this part of the time until then is as it was. */
    private static final int NOTICED_PART = 10;

    /** Whether that differs enough from what was told before to be told. */
    boolean isNews(@Nullable QueuePlace told, Instant now) {
        return told == null || place != told.place || isOtherStart(told.predictedStart, now);
    }

    private boolean isOtherStart(@Nullable Instant told, Instant now) {
        if (predictedStart == null) {
            return told != null;
        }
        if (told == null) {
            return true;
        }
        Duration moved = Duration.between(told, predictedStart).abs();
        Duration noticed = Duration.between(now, predictedStart).abs().dividedBy(NOTICED_PART);
        return moved.compareTo(LEAST_NOTICED) > 0 && moved.compareTo(noticed) > 0;
    }
}
