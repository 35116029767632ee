package dev.equipoise.app.problem;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The time that a body may take, and the memory that all bodies may.
 *
 * @param patience time for any body, however small; positive
 * @param perSecond bytes per second below which a body is too slow, at least 1B
 * @param memory memory of all bodies at the same time, at least 4MB; a caller gets a quarter, which
 *     limits the size of bundles
 */
@ConfigurationProperties("equipoise.body")
record BodySettings(
        @DefaultValue("30s") Duration patience,
        @DefaultValue("64KB") DataSize perSecond,
        @DefaultValue("64MB") DataSize memory) {

    private static final long MIN_MEMORY = 4L * BodyLimit.MAX_BYTES;

    BodySettings {
        if (!patience.isPositive() || perSecond.toBytes() < 1) {
            throw new IllegalArgumentException(
                    "equipoise.body.patience and .per-second must be positive, but were %s and %s"
                            .formatted(patience, perSecond));
        }
        if (memory.toBytes() < MIN_MEMORY) {
            throw new IllegalArgumentException(
                    "equipoise.body.memory must be at least 4MB, but was " + memory);
        }
    }

    /** Returns the time limit for a body of which this many bytes have arrived. */
    Duration patience(long bytes) {
        return patience.plusSeconds(bytes / perSecond.toBytes());
    }
}
