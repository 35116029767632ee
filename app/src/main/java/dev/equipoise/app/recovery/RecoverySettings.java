package dev.equipoise.app.recovery;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of restarts and reconfigurations.
 *
 * @param pause delay before the first restart; it doubles with each restart in a row; positive
 * @param longestPause upper limit of the delay, at least {@code equipoise.recovery.pause}
 * @param patience grace period of a reconfiguration: how long ranks that lost others wait for ranks
 *     that have not reported; at least 0s
 */
@ConfigurationProperties("equipoise.recovery")
public record RecoverySettings(
        @DefaultValue("1s") Duration pause,
        @DefaultValue("1m") Duration longestPause,
        @DefaultValue("10s") Duration patience) {

    public RecoverySettings {
        if (!pause.isPositive() || longestPause.compareTo(pause) < 0) {
            throw new IllegalArgumentException(
                    "equipoise.recovery.pause must be positive and at most longest-pause, but they"
                            + " were %s and %s".formatted(pause, longestPause));
        }
        if (patience.isNegative()) {
            throw new IllegalArgumentException(
                    "equipoise.recovery.patience must be at least 0s, but was " + patience);
        }
    }

    public RestartDecision.Backoff backoff() {
        return new RestartDecision.Backoff(pause, longestPause);
    }
}
