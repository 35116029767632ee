package dev.equipoise.app.queue;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Position of a run in the queue.
 *
 * @param place from 1
 * @param predictedStart when the run is expected to get its workers; null if unknown
 */
public record QueuePosition(int place, @Nullable Instant predictedStart) {

    private static final Duration MIN_NOTICED = Duration.ofSeconds(5);

    /**
     * A start that moves by less than this fraction (1/10) of the time until then counts as
     * unchanged.
     */
    private static final int NOTICED_PART = 10;

    /** Whether the position differs enough from the published one to be published. */
    boolean isNews(@Nullable QueuePosition published, Instant now) {
        return published == null
                || place != published.place
                || isOtherStart(published.predictedStart, now);
    }

    private boolean isOtherStart(@Nullable Instant published, Instant now) {
        if (predictedStart == null) {
            return published != null;
        }
        if (published == null) {
            return true;
        }
        Duration moved = Duration.between(published, predictedStart).abs();
        Duration noticed = Duration.between(now, predictedStart).abs().dividedBy(NOTICED_PART);
        return moved.compareTo(MIN_NOTICED) > 0 && moved.compareTo(noticed) > 0;
    }
}
