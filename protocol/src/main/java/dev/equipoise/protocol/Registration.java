package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Registration of an agent, sent with a join token as bearer by a new worker, and with its
 * credential as bearer by a worker whose process has started again. A repeated registration with
 * the same credential is the same worker.
 *
 * @param name display name of the worker
 * @param host description of the host
 * @param clusterAddress host:port at which other agents reach its cluster member
 * @param labels labels that a selector may require
 * @param credential bearer token of the worker from now on; that of a returning worker is the
 *     bearer of the request
 * @param version product version of the agent; null if unknown
 * @param dataAddress host:port at which the other ranks of a run reach this one; null if unknown
 * @param protocol protocol version of the agent; null of agents that predate the field
 * @param folders names of the data folders of users that the worker has; null if unknown
 * @param probeKey public key by which probes recognize this process at its data address; null of
 *     agents that predate the field
 */
public record Registration(
        String name,
        HostDescription host,
        String clusterAddress,
        Map<String, String> labels,
        Credential credential,
        @Nullable SoftwareVersion version,
        @Nullable String dataAddress,
        @Nullable ProtocolVersion protocol,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<String> folders,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ProbeKey probeKey)
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
        folders = DataFolders.checked(folders);
    }

    /** The host does not check this itself, so that stored hosts remain readable. */
    private static void requireDisplayTexts(HostDescription host) {
        Rules.displayText("host.name", host.name(), HostDescription.MAX_TEXT);
        Rules.displayText("host.system", host.system(), HostDescription.MAX_TEXT);
        Rules.displayText("host.backend", host.backend(), HostDescription.MAX_TEXT);
        requireDisplayText("host.processor", host.processor());
        requireDisplayText("host.instructionSet", host.instructionSet());
    }

    private static void requireDisplayText(String name, @Nullable String value) {
        if (value != null) {
            Rules.displayText(name, value, HostDescription.MAX_TEXT);
        }
    }

    /** Product and protocol version of the agent. */
    public ReleaseVersion release() {
        return ReleaseVersion.of(version, protocol);
    }

    /** Creates a registration without a probe key. */
    public Registration(
            String name,
            HostDescription host,
            String clusterAddress,
            Map<String, String> labels,
            Credential credential,
            @Nullable SoftwareVersion version,
            @Nullable String dataAddress,
            @Nullable ProtocolVersion protocol,
            @Nullable List<String> folders) {
        this(
                name,
                host,
                clusterAddress,
                labels,
                credential,
                version,
                dataAddress,
                protocol,
                folders,
                null);
    }

    /** Creates a registration without a protocol version, data folders and a probe key. */
    public Registration(
            String name,
            HostDescription host,
            String clusterAddress,
            Map<String, String> labels,
            Credential credential,
            @Nullable SoftwareVersion version,
            @Nullable String dataAddress) {
        this(name, host, clusterAddress, labels, credential, version, dataAddress, null, null);
    }

    /** Creates a registration without a data address, a protocol version and data folders. */
    public Registration(
            String name,
            HostDescription host,
            String clusterAddress,
            Map<String, String> labels,
            Credential credential,
            @Nullable SoftwareVersion version) {
        this(name, host, clusterAddress, labels, credential, version, null);
    }

    /** Creates a registration without versions and a data address. */
    public Registration(
            String name,
            HostDescription host,
            String clusterAddress,
            Map<String, String> labels,
            Credential credential) {
        this(name, host, clusterAddress, labels, credential, null);
    }
}
