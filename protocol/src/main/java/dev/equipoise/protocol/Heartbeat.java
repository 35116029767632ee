package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Heartbeat of a worker, sent every few seconds.
 *
 * @param clusterAddress host:port of the worker's cluster member; may change with a restart
 * @param sees cluster view: workers whose cluster members this one sees, itself included
 * @param draining whether the worker accepts no further assignments and will leave
 * @param load run-queue length of the worker's host: threads of all programs that run or are ready,
 *     mean of the last minute, from 0; null if the operating system does not report it
 * @param probes results of the probes that the service asked for and has not confirmed yet
 * @param folders names of the data folders of users that the worker has; null if they are those of
 *     the last heartbeat with folders, or of the registration
 * @param usedMemoryBytes memory of the worker's host that all programs use, in bytes, from 0; null
 *     if the operating system does not report it, or of agents that do not
 */
public record Heartbeat(
        String clusterAddress,
        Set<WorkerId> sees,
        boolean draining,
        @Nullable Double load,
        List<ProbeResult> probes,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<String> folders,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long usedMemoryBytes)
        implements AgentMessage {

    /** Longest cluster address, in characters. */
    public static final int MAX_ADDRESS = 300;

    /** Most workers of a cluster view. */
    public static final int MAX_SEEN = 10_000;

    /** Highest load. */
    public static final int MAX_LOAD = 1_000_000;

    /** Most used memory, in bytes. */
    public static final long MAX_MEMORY = 1L << 50;

    /** Most probes of a heartbeat, and most that one reply asks for. */
    public static final int MAX_PROBES = 8;

    public Heartbeat {
        Rules.address("clusterAddress", clusterAddress, MAX_ADDRESS);
        Rules.size("sees", sees, MAX_SEEN);
        sees = Set.copyOf(sees);
        if (load != null) {
            Rules.between("load", load, 0, MAX_LOAD);
        }
        // Agents of the version before report none.
        probes = probes == null ? List.of() : probes;
        Rules.size("probes", probes, MAX_PROBES);
        probes = List.copyOf(probes);
        folders = DataFolders.checked(folders);
        if (usedMemoryBytes != null) {
            Rules.between("usedMemoryBytes", usedMemoryBytes, 0, MAX_MEMORY);
        }
    }

    /** Creates a heartbeat without the used memory. */
    public Heartbeat(
            String clusterAddress,
            Set<WorkerId> sees,
            boolean draining,
            @Nullable Double load,
            List<ProbeResult> probes,
            @Nullable List<String> folders) {
        this(clusterAddress, sees, draining, load, probes, folders, null);
    }

    /** Creates a heartbeat without probes and data folders. */
    public Heartbeat(
            String clusterAddress, Set<WorkerId> sees, boolean draining, @Nullable Double load) {
        this(clusterAddress, sees, draining, load, List.of(), null);
    }

    /** Creates a heartbeat without a load, probes and data folders. */
    public Heartbeat(String clusterAddress, Set<WorkerId> sees, boolean draining) {
        this(clusterAddress, sees, draining, null);
    }
}
