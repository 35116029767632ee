package dev.equipoise.app.run;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How streams of events are served.
 *
 * @param perCaller the streams that one caller may read at once
 * @param heartbeat how often a reader hears of the service, and its token is looked at again
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
}
