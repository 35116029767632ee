package dev.equipoise.app.problem;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How long a body may take.
 *
 * @param patience for the whole of it, however small it is
 * @param perSecond so many bytes give it a second more
 */
@ConfigurationProperties("equipoise.body")
record BodySettings(
        @DefaultValue("30s") Duration patience, @DefaultValue("64KB") DataSize perSecond) {

    BodySettings {
        if (!patience.isPositive() || perSecond.toBytes() < 1) {
            throw new IllegalArgumentException(
                    "equipoise.body.patience and .per-second must be positive, but were %s and %s"
                            .formatted(patience, perSecond));
        }
    }

    /** For a body of which so many bytes have come. */
    Duration patience(long bytes) {
        return patience.plusSeconds(bytes / perSecond.toBytes());
    }
}
