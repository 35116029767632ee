package dev.equipoise.protocol;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Registration of an agent, sent with a join token as bearer by a new worker, and with its
 * credential as bearer by a worker whose process has started again. A repeated registration with
 * the same credential is the same worker.
 *
 * @param name display name of the worker
 * @param clusterAddress host:port at which other agents reach its cluster member
 * @param labels that a selector may require
 * @param credential bearer token of the worker from now on; that of a returning worker is the
 *     bearer of the request
 * @param version of the agent; null if unknown, and then assumed to be the service's
 * @param dataAddress host:port at which the other ranks of a run reach this one; null if unknown
 */
public record Registration(
        String name,
        HostDescription host,
        String clusterAddress,
        Map<String, String> labels,
        Credential credential,
        @Nullable SoftwareVersion version,
        @Nullable String dataAddress)
        implements AgentMessage {

    /** Longest name, in characters. */
    public static final int MAX_NAME = 100;

    /** Most labels. */
    public static final int MAX_LABELS = 64;

    /** Longest name or value of a label, in characters. */
    public static final int MAX_LABEL = 200;

    public Registration {
        Rules.displayText("name", name, MAX_NAME);
        Rules.present("host", host);
        requireDisplayTexts(host);
        Rules.address("clusterAddress", clusterAddress, Heartbeat.MAX_ADDRESS);
        Rules.displayTexts("labels", labels, MAX_LABELS, MAX_LABEL);
        labels = Map.copyOf(labels);
        Rules.present("credential", credential);
        if (dataAddress != null) {
            Rules.address("dataAddress", dataAddress, Heartbeat.MAX_ADDRESS);
        }
    }

    /** The host does not check this itself, so that stored hosts remain readable. */
    private static void requireDisplayTexts(HostDescription host) {
        Rules.displayText("host.name", host.name(), HostDescription.MAX_TEXT);
        Rules.displayText("host.system", host.system(), HostDescription.MAX_TEXT);
        Rules.displayText("host.backend", host.backend(), HostDescription.MAX_TEXT);
        if (host.processor() != null) {
            Rules.displayText("host.processor", host.processor(), HostDescription.MAX_TEXT);
        }
    }

    /** Creates a registration without a data address. */
    public Registration(
            String name,
            HostDescription host,
            String clusterAddress,
            Map<String, String> labels,
            Credential credential,
            @Nullable SoftwareVersion version) {
        this(name, host, clusterAddress, labels, credential, version, null);
    }

    /** Creates a registration without a version and a data address. */
    public Registration(
            String name,
            HostDescription host,
            String clusterAddress,
            Map<String, String> labels,
            Credential credential) {
        this(name, host, clusterAddress, labels, credential, null);
    }
}
