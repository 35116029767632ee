package dev.equipoise.app.worker;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the module.
 *
 * @param clusterName the name of the agents' cluster
 * @param silence how long a worker may be silent before it is lost
 * @param absence how long one may be lost before it counts as left, and its credential as none
 * @param cooling for how long one that failed at its work is given none; twice as long each time in
 *     a row
 * @param longestCooling it is never longer
 * @param credentialLife after which a worker is asked to choose another credential
 */
@ConfigurationProperties("equipoise.worker")
record WorkerSettings(
        @DefaultValue("equipoise") String clusterName,
        @DefaultValue("10s") Duration silence,
        @DefaultValue("7d") Duration absence,
        @DefaultValue("10s") Duration cooling,
        @DefaultValue("10m") Duration longestCooling,
        @DefaultValue("24h") Duration credentialLife) {

    WorkerSettings {
        if (silence.isNegative() || silence.isZero()) {
            throw new IllegalArgumentException(
                    "equipoise.worker.silence must be positive, but was " + silence);
        }
        if (absence.compareTo(silence) < 0) {
            throw new IllegalArgumentException(
                    "equipoise.worker.absence must not be shorter than silence, but they were %s and %s"
                            .formatted(absence, silence));
        }
        if (!cooling.isPositive() || longestCooling.compareTo(cooling) < 0) {
            throw new IllegalArgumentException(
                    "equipoise.worker.cooling must be positive and at most longest-cooling, but they were %s and %s"
                            .formatted(cooling, longestCooling));
        }
        if (!credentialLife.isPositive()) {
            throw new IllegalArgumentException(
                    "equipoise.worker.credential-life must be positive, but was " + credentialLife);
        }
    }
}
