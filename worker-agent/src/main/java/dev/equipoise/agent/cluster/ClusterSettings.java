package dev.equipoise.agent.cluster;

import java.util.List;

/**
 * How an agent joins the cluster of its lab.
 *
 * @param clusterName members of another name are not seen
 * @param host the address to listen on, and no other one
 * @param port 0 takes a free one and keeps it
 * @param seeds members that may be there already, as {@code host:port}
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

    public ClusterSettings {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("the port must be in 0..65535, but was " + port);
        }
        if (worker.isBlank()) {
            throw new IllegalArgumentException("the worker id must not be blank");
        }
        requireAddress("the data address", dataAddress);
        seeds = List.copyOf(seeds);
        seeds.forEach(seed -> requireAddress("a seed", seed));
    }

    private static void requireAddress(String what, String value) {
        if (HostAndPort.parse(value).isEmpty()) {
            throw new IllegalArgumentException(
                    what + " must be host:port, but was \"" + value + "\"");
        }
    }
}
