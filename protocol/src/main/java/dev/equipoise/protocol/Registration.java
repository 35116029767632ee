package dev.equipoise.protocol;

import java.util.Map;

/**
 * An agent's first words, sent with a join token as bearer.
 *
 * @param name what people call the worker
 * @param clusterAddress host:port at which the other agents reach its cluster member
 * @param labels what a selector may ask for
 */
public record Registration(
        String name, HostDescription host, String clusterAddress, Map<String, String> labels) {

    public Registration {
        Rules.notBlank("name", name);
        Rules.notBlank("clusterAddress", clusterAddress);
        labels = Map.copyOf(labels);
    }
}
