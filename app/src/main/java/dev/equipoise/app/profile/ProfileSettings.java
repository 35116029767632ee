package dev.equipoise.app.profile;

import java.time.Duration;
import java.time.Instant;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the module.
 *
 * @param maxAge how long a profile tells how fast its worker is; after that it is measured anew
 *     before a run that needs it
 */
@ConfigurationProperties("equipoise.profile")
record ProfileSettings(@DefaultValue("7d") Duration maxAge) {

    ProfileSettings {
        if (maxAge.isNegative() || maxAge.isZero()) {
            throw new IllegalArgumentException(
                    "equipoise.profile.max-age must be positive, but was " + maxAge);
        }
    }

    /** What was measured before is too old. */
    Instant oldest(Instant now) {
        return now.minus(maxAge);
    }
}
