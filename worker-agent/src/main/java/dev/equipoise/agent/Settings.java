package dev.equipoise.agent;

import java.net.URI;
import java.time.Duration;
import java.util.Map;

/**
 * How an agent was started.
 *
 * @param host the address at which the other agents reach this one
 * @param threads that compute
 * @param slowDown the factor, at least 1, by which compute time is stretched
 * @param joinTimeout how long to try to reach a service that does not answer
 */
record Settings(
        URI service,
        String joinToken,
        String name,
        String host,
        int threads,
        double slowDown,
        Map<String, String> labels,
        Duration joinTimeout) {

    Settings {
        labels = Map.copyOf(labels);
    }

    /** Without the join token, which must not reach a log. */
    @Override
    public String toString() {
        return "Settings[service=%s, name=%s, host=%s]".formatted(service, name, host);
    }
}
