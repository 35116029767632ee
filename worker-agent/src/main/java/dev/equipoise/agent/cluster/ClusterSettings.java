package dev.equipoise.agent.cluster;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How an agent joins the cluster of its lab.
 *
 * @param clusterName members of another name are not seen
 * @param host the address to listen on, and no other one
 * @param port 0 takes a free one and keeps it
 * @param seeds members that may be there already, as {@code host:port}; any other text is left out,
 *     for one worker's bad address must not keep the rest apart
 * @param worker the id that the service knows this agent by
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
        seeds = seeds.stream().filter(ClusterSettings::isReadable).toList();
    }

    private static boolean isReadable(String seed) {
        boolean readable = HostAndPort.parse(seed).isPresent();
        if (!readable) {
            log.warn("a seed must be host:port, but was \"{}\"; going without it", seed);
        }
        return readable;
    }

    private static void requireAddress(String what, String value) {
        if (HostAndPort.parse(value).isEmpty()) {
            throw new IllegalArgumentException(
                    what + " must be host:port, but was \"" + value + "\"");
        }
    }
}
