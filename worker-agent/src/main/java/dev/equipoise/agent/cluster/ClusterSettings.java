package dev.equipoise.agent.cluster;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings with which an agent joins the cluster of its lab.
 *
 * @param clusterName members of a cluster with another name are invisible; a secret of the lab
 * @param host the only address to listen on
 * @param port 0 chooses a free port and keeps it
 * @param seeds members that may be running already, as {@code host:port}; other texts are ignored,
 *     so that one worker's bad address does not separate the others
 * @param worker the id by which the service knows this agent
 * @param dataAddress where the peers of a run connect to, as {@code host:port}
 */
public record ClusterSettings(
        String clusterName,
        String host,
        int port,
        List<String> seeds,
        String worker,
        String dataAddress) {

    private static final Logger log = LoggerFactory.getLogger(ClusterSettings.class);

    public ClusterSettings {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("the port must be in 0..65535, but was " + port);
        }
        if (worker.isBlank()) {
            throw new IllegalArgumentException("the worker id must not be blank");
        }
        requireAddress("the data address", dataAddress);
        seeds = seeds.stream().filter(ClusterSettings::isAddress).toList();
    }

    /** Omits the cluster name, which must not reach a log. */
    @Override
    public String toString() {
        return "ClusterSettings[host=%s, port=%d, seeds=%s, worker=%s, dataAddress=%s]"
                .formatted(host, port, seeds, worker, dataAddress);
    }

    private static boolean isAddress(String seed) {
        boolean valid = HostAndPort.parse(seed).isPresent();
        if (!valid) {
            log.warn("ignoring seed \"{}\": a seed must be host:port", seed);
        }
        return valid;
    }

    private static void requireAddress(String what, String value) {
        if (HostAndPort.parse(value).isEmpty()) {
            throw new IllegalArgumentException(
                    what + " must be host:port, but was \"" + value + "\"");
        }
    }
}
