package dev.equipoise.app.monitor;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of event streams.
 *
 * @param perCaller streams that one caller may read at once, at least 1
 * @param heartbeat period after which a reader gets a heartbeat and its token is checked again;
 *     positive
 */
@ConfigurationProperties("equipoise.streams")
record StreamSettings(@DefaultValue("128") int perCaller, @DefaultValue("15s") Duration heartbeat) {

    StreamSettings {
        if (perCaller < 1) {
            throw new IllegalArgumentException(
                    "equipoise.streams.per-caller must be at least 1, but was " + perCaller);
        }
        if (!heartbeat.isPositive()) {
            throw new IllegalArgumentException(
                    "equipoise.streams.heartbeat must be positive, but was " + heartbeat);
        }
    }

    /** Returns the seconds until the service has noticed that a reader has closed its stream. */
    long secondsToNoticeClose() {
        return Math.max(1, heartbeat.toSeconds());
    }
}
