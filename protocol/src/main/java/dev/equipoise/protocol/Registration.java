package dev.equipoise.protocol;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An agent's first words, sent with a join token as bearer. The same token and credential again are
 * the same worker.
 *
 * @param name what people call the worker
 * @param clusterAddress host:port at which the other agents reach its cluster member
 * @param labels what a selector may ask for
 * @param credential the bearer token of the worker from now on
 * @param version of the agent; null where it does not tell, and is taken to be the service's
 */
public record Registration(
        String name,
        HostDescription host,
        String clusterAddress,
        Map<String, String> labels,
        Credential credential,
        @Nullable SoftwareVersion version)
        implements AgentMessage {

    /** The longest name, in characters. */
    public static final int MAX_NAME = 100;

    /** The most labels. */
    public static final int MAX_LABELS = 64;

    /** The longest name or value of a label, in characters. */
    public static final int MAX_LABEL = 200;

    public Registration {
        Rules.text("name", name, MAX_NAME);
        Rules.present("host", host);
        Rules.address("clusterAddress", clusterAddress, Heartbeat.MAX_ADDRESS);
        Rules.texts("labels", labels, MAX_LABELS, MAX_LABEL);
        labels = Map.copyOf(labels);
        Rules.present("credential", credential);
    }

    /** Of an agent that does not tell its version. */
    public Registration(
            String name,
            HostDescription host,
            String clusterAddress,
            Map<String, String> labels,
            Credential credential) {
        this(name, host, clusterAddress, labels, credential, null);
    }
}
