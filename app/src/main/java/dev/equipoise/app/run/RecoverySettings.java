package dev.equipoise.app.run;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How runs that lost their workers are tried again.
 *
 * @param pause before the first time; each one in a row waits for twice as long
 * @param longestPause no pause is longer
 * @param patience for how long ranks that have lost others wait for those that say nothing
 */
@ConfigurationProperties("equipoise.recovery")
record RecoverySettings(
        @DefaultValue("1s") Duration pause,
        @DefaultValue("1m") Duration longestPause,
        @DefaultValue("10s") Duration patience) {

    RecoverySettings {
        if (!pause.isPositive() || longestPause.compareTo(pause) < 0) {
            throw new IllegalArgumentException(
                    "equipoise.recovery.pause must be positive and at most longest-pause, but they were %s and %s"
                            .formatted(pause, longestPause));
        }
    }

    Recovery.Patience pauses() {
        return new Recovery.Patience(pause, longestPause);
    }
}
