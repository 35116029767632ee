package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.service.ServiceEndpoint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Settings from the command line of an agent.
 *
 * @param address at which the other agents reach this one
 * @param members names, as {@code host:port}, whose addresses are all seed members of the cluster
 * @param threads number of compute threads
 * @param slowDown factor, at least 1, by which compute time is stretched
 */
record AgentSettings(
        ServiceEndpoint service,
        String joinToken,
        String name,
        Address address,
        List<String> members,
        int threads,
        double slowDown,
        Map<String, String> labels,
        AgentTimeouts timeouts) {

    AgentSettings {
        members = List.copyOf(members);
        labels = Map.copyOf(labels);
    }

    /** Returns the given labels, and those of the backend whose keys none of them has. */
    Map<String, String> labelsOver(Map<String, String> ofBackend) {
        var all = new HashMap<>(ofBackend);
        all.putAll(labels);
        return all;
    }

    /**
     * Address of an agent, with the ports that a firewall must open for the other agents; 0 stands
     * for any free port.
     *
     * @param clusterPort port of Hazelcast
     * @param dataPort port for the exchanges of runs
     */
    record Address(String host, int clusterPort, int dataPort) {

        static Address withAnyPorts(String host) {
            return new Address(host, 0, 0);
        }

        /** Returns whether the agent may rejoin the cluster at a different port. */
        boolean isAnyClusterPort() {
            return clusterPort == 0;
        }
    }

    /** Omits the join token, which must not reach a log. */
    @Override
    public String toString() {
        return "AgentSettings[service=%s, name=%s, host=%s]"
                .formatted(service.address(), name, address.host());
    }
}
