package dev.equipoise.app.database;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the embedded database.
 *
 * @param startTimeout time for a start of the database, of which new data need two, and for the
 *     stop of one that a killed service left; positive
 * @param restarts attempts in a row to start the database again after it has ended, at least 0;
 *     then the service ends
 */
@ConfigurationProperties("equipoise.database")
record DatabaseSettings(
        @DefaultValue("3m") Duration startTimeout, @DefaultValue("10") int restarts) {

    DatabaseSettings {
        if (restarts < 0) {
            throw new IllegalArgumentException(
                    "equipoise.database.restarts must be at least 0, but was " + restarts);
        }
    }
}
