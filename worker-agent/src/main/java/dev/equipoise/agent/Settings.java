package dev.equipoise.agent;

import java.net.URI;
import java.util.Map;

/**
 * How an agent was started.
 *
 * @param host the address at which the other agents reach this one
 * @param threads that compute
 * @param slowDown the factor, at least 1, by which compute time is stretched
 */
record Settings(
        URI service,
        String joinToken,
        String name,
        String host,
        int threads,
        double slowDown,
        Map<String, String> labels,
        AgentTimeouts timeouts) {

    Settings {
        labels = Map.copyOf(labels);
    }

    /** Without the join token, which must not reach a log. */
    @Override
    public String toString() {
        return "Settings[service=%s, name=%s, host=%s]".formatted(service, name, host);
    }
}
