package dev.equipoise.app.measurement;

import java.time.Duration;
import java.time.Instant;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the profiles.
 *
 * @param maxAge age at which a profile is too old and is measured again before a run that needs it;
 *     positive
 */
@ConfigurationProperties("equipoise.profile")
record ProfileSettings(@DefaultValue("7d") Duration maxAge) {

    ProfileSettings {
        if (maxAge.isNegative() || maxAge.isZero()) {
            throw new IllegalArgumentException(
                    "equipoise.profile.max-age must be positive, but was " + maxAge);
        }
    }

    /** Time before which a profile is too old. */
    Instant oldest(Instant now) {
        return now.minus(maxAge);
    }
}
