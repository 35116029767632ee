package dev.equipoise.app.worker;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the module.
 *
 * @param clusterName the name of the agents' cluster
 * @param silence how long a worker may be silent before it is lost; its default is in {@code
 *     application.yaml}, as more than this module goes by it
 * @param cooling for how long one that failed at its work is given none; twice as long each time in
 *     a row
 * @param longestCooling it is never longer
 */
@ConfigurationProperties("equipoise.worker")
record WorkerSettings(
        @DefaultValue("equipoise") String clusterName,
        Duration silence,
        @DefaultValue("10s") Duration cooling,
        @DefaultValue("10m") Duration longestCooling) {

    WorkerSettings {
        if (silence.isNegative() || silence.isZero()) {
            throw new IllegalArgumentException(
                    "equipoise.worker.silence must be positive, but was " + silence);
        }
        if (!cooling.isPositive() || longestCooling.compareTo(cooling) < 0) {
            throw new IllegalArgumentException(
                    "equipoise.worker.cooling must be positive and at most longest-cooling, but they were %s and %s"
                            .formatted(cooling, longestCooling));
        }
    }
}
