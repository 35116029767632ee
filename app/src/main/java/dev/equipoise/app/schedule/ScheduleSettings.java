package dev.equipoise.app.schedule;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the module.
 *
 * @param halfLife after which half of what a project has used is forgotten
 */
@ConfigurationProperties("equipoise.schedule")
record ScheduleSettings(@DefaultValue("24h") Duration halfLife) {

    ScheduleSettings {
        if (halfLife.isNegative() || halfLife.isZero()) {
            throw new IllegalArgumentException(
                    "equipoise.schedule.half-life must be positive, but was " + halfLife);
        }
    }
}
