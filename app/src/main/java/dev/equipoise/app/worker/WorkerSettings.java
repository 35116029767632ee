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
 */
@ConfigurationProperties("equipoise.worker")
record WorkerSettings(@DefaultValue("equipoise") String clusterName, Duration silence) {

    WorkerSettings {
        if (silence.isNegative() || silence.isZero()) {
            throw new IllegalArgumentException(
                    "equipoise.worker.silence must be positive, but was " + silence);
        }
    }
}
