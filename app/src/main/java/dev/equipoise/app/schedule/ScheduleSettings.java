package dev.equipoise.app.schedule;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the module.
 *
 * @param halfLife after which half of what a project has used is forgotten
 * @param ageing by how much longer a run has to wait to go before one of its project whose priority
 *     is higher by 1; zero where it never does
 * @param preemptAfter for how long a run waits before others are asked to make room for it
 * @param spareFor for how long a run has trained before it is asked to make room
 * @param lease for how long an instance that has died keeps the others from the queue; one that is
 *     alive renews its turn every third of this. At least a second
 */
@ConfigurationProperties("equipoise.schedule")
record ScheduleSettings(
        @DefaultValue("24h") Duration halfLife,
        @DefaultValue("30m") Duration ageing,
        @DefaultValue("60s") Duration preemptAfter,
        @DefaultValue("5m") Duration spareFor,
        @DefaultValue("10s") Duration lease) {

    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

    ScheduleSettings {
        if (halfLife.isNegative() || halfLife.isZero()) {
            throw new IllegalArgumentException(
                    "equipoise.schedule.half-life must be positive, but was " + halfLife);
        }
        requireNotNegative("ageing", ageing);
        requireNotNegative("preempt-after", preemptAfter);
        requireNotNegative("spare-for", spareFor);
        if (lease.compareTo(SHORTEST_LEASE) < 0) {
            throw new IllegalArgumentException(
                    "equipoise.schedule.lease must be at least 1 s, but was " + lease);
        }
    }

    private static void requireNotNegative(String name, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(
                    "equipoise.schedule.%s must not be negative, but was %s"
                            .formatted(name, value));
        }
    }
}
