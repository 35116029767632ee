package dev.equipoise.app.worker;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the workers.
 *
 * @param clusterName name of the agents' Hazelcast cluster, not blank (default: the random name
 *     that the database has)
 * @param silence session timeout: time without a heartbeat after which a worker is lost; positive
 * @param absence time after which a lost worker counts as left and its credential only serves to
 *     return; at least {@code equipoise.worker.silence}
 * @param cooling cooldown after a first failure; it doubles with each failure in a row; positive
 * @param longestCooling upper limit of the cooldown, at least {@code equipoise.worker.cooling}
 * @param credentialLife age at which a heartbeat reply asks for a new credential; positive
 * @param clusterForming time in which a worker that comes, or comes back, joins the Hazelcast
 *     cluster; later, workers that do not see each other count as unreachable; positive
 * @param history time for which samples of load and memory are kept, from 1h to 1000d; changes of
 *     state are kept three times as long
 */
@ConfigurationProperties("equipoise.worker")
record WorkerSettings(
        @Nullable String clusterName,
        @DefaultValue("10s") Duration silence,
        @DefaultValue("7d") Duration absence,
        @DefaultValue("10s") Duration cooling,
        @DefaultValue("10m") Duration longestCooling,
        @DefaultValue("24h") Duration credentialLife,
        @DefaultValue("2m") Duration clusterForming,
        @DefaultValue("30d") Duration history) {

    private static final Duration LEAST_HISTORY = Duration.ofHours(1);
    private static final Duration LONGEST_HISTORY = Duration.ofDays(1000);

    WorkerSettings {
        if (clusterName != null && clusterName.isBlank()) {
            throw new IllegalArgumentException(
                    "equipoise.worker.cluster-name must not be blank: remove it for a random name");
        }
        if (silence.isNegative() || silence.isZero()) {
            throw new IllegalArgumentException(
                    "equipoise.worker.silence must be positive, but was " + silence);
        }
        if (absence.compareTo(silence) < 0) {
            throw new IllegalArgumentException(
                    "equipoise.worker.absence %s is out of range: at least equipoise.worker.silence, %s"
                            .formatted(absence, silence));
        }
        if (!cooling.isPositive() || longestCooling.compareTo(cooling) < 0) {
            throw new IllegalArgumentException(
                    "equipoise.worker.cooling %s is out of range: positive and at most longest-cooling, %s"
                            .formatted(cooling, longestCooling));
        }
        if (!credentialLife.isPositive()) {
            throw new IllegalArgumentException(
                    "equipoise.worker.credential-life must be positive, but was " + credentialLife);
        }
        if (!clusterForming.isPositive()) {
            throw new IllegalArgumentException(
                    "equipoise.worker.cluster-forming must be positive, but was " + clusterForming);
        }
        if (history.compareTo(LEAST_HISTORY) < 0 || history.compareTo(LONGEST_HISTORY) > 0) {
            throw new IllegalArgumentException(
                    "equipoise.worker.history %s is out of range: from %s to %s"
                            .formatted(history, LEAST_HISTORY, LONGEST_HISTORY));
        }
    }

    /**
     * Whether a worker that was last seen then is not silent now; a clock may have been set back.
     */
    boolean covers(Instant lastSeenAt, Instant now) {
        return Duration.between(lastSeenAt, now).abs().compareTo(silence) <= 0;
    }
}
