package dev.equipoise.agent;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How an agent was started.
 *
 * @param host the address at which the other agents reach this one
 * @param ports at which they do
 * @param members names, as {@code host:port}, at all of whose addresses other agents may be found
 * @param threads that compute
 * @param slowDown the factor, at least 1, by which compute time is stretched
 */
record Settings(
        URI service,
        String joinToken,
        String name,
        String host,
        Ports ports,
        List<String> members,
        int threads,
        double slowDown,
        Map<String, String> labels,
        AgentTimeouts timeouts) {

    Settings {
        members = List.copyOf(members);
        labels = Map.copyOf(labels);
    }

    /** Those that were given, and {@code device} with them unless it was. */
    Map<String, String> labelsOn(String device) {
        var all = new HashMap<>(Map.of("device", device));
        all.putAll(labels);
        return all;
    }

    /**
     * Where a firewall lets the other agents through; 0 for any port that is free.
     *
     * @param cluster for Hazelcast
     * @param data for what runs exchange
     */
    record Ports(int cluster, int data) {

        static final Ports ANY = new Ports(0, 0);

        /** Whether the cluster may be joined at another port than before. */
        boolean isAnyForCluster() {
            return cluster == 0;
        }
    }

    /** Without the join token, which must not reach a log. */
    @Override
    public String toString() {
        return "Settings[service=%s, name=%s, host=%s]".formatted(service, name, host);
    }
}
