package dev.equipoise.app.dispatch;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of usage and of the scheduler lease.
 *
 * @param halfLife half-life of the usage that fair share compares, positive
 * @param lease duration of the scheduler lease: the time for which a dead instance blocks the
 *     queue. A live instance renews it after each third. At least 1s
 */
@ConfigurationProperties("equipoise.schedule")
public record DispatchSettings(
        @DefaultValue("24h") Duration halfLife, @DefaultValue("10s") Duration lease) {

    private static final Duration MIN_LEASE = Duration.ofSeconds(1);

    public DispatchSettings {
        if (halfLife.isNegative() || halfLife.isZero()) {
            throw new IllegalArgumentException(
                    "equipoise.schedule.half-life must be positive, but was " + halfLife);
        }
        if (lease.compareTo(MIN_LEASE) < 0) {
            throw new IllegalArgumentException(
                    "equipoise.schedule.lease must be at least PT1S, but was " + lease);
        }
    }
}
