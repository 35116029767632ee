package dev.equipoise.app.schedule;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the scheduler.
 *
 * @param ageing priority aging: waiting time that is worth one priority step, at least 0s, which
 *     switches it off
 * @param preemptAfter preemption delay: waiting time after which a run may preempt others, at least
 *     0s
 * @param spareFor preemption-exempt time: training time before which a run is not preempted, at
 *     least 0s
 */
@ConfigurationProperties("equipoise.schedule")
record ScheduleSettings(
        @DefaultValue("30m") Duration ageing,
        @DefaultValue("60s") Duration preemptAfter,
        @DefaultValue("5m") Duration spareFor) {

    ScheduleSettings {
        requireNotNegative("ageing", ageing);
        requireNotNegative("preempt-after", preemptAfter);
        requireNotNegative("spare-for", spareFor);
    }

    private static void requireNotNegative(String name, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(
                    "equipoise.schedule.%s must not be negative, but was %s"
                            .formatted(name, value));
        }
    }
}
