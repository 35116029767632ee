package dev.equipoise.app.account;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of browser sessions.
 *
 * @param life lifetime of a session after the sign-in, positive
 */
@ConfigurationProperties("equipoise.session")
record SessionSettings(@DefaultValue("12h") Duration life) {

    SessionSettings {
        if (!life.isPositive()) {
            throw new IllegalArgumentException(
                    "equipoise.session.life must be positive, but was " + life);
        }
    }
}
