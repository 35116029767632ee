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
 * @param folders names of the data folders of users that the worker has; null if they are those of
 *     the last heartbeat with folders, or of the registration
 */
public record Heartbeat(
        String clusterAddress,
        Set<WorkerId> sees,
        boolean draining,
        @Nullable Double load,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<String> folders)
        implements AgentMessage {

    /** Longest cluster address, in characters. */
    public static final int MAX_ADDRESS = 300;

    /** Most workers of a cluster view. */
    public static final int MAX_SEEN = 10_000;

    /** Highest load. */
    public static final int MAX_LOAD = 1_000_000;

    public Heartbeat {
        Rules.address("clusterAddress", clusterAddress, MAX_ADDRESS);
        Rules.size("sees", sees, MAX_SEEN);
        sees = Set.copyOf(sees);
        if (load != null) {
            Rules.between("load", load, 0, MAX_LOAD);
        }
        folders = DataFolders.checked(folders);
    }

    /** Creates a heartbeat without data folders. */
    public Heartbeat(
            String clusterAddress, Set<WorkerId> sees, boolean draining, @Nullable Double load) {
        this(clusterAddress, sees, draining, load, null);
    }

    /** Creates a heartbeat without a load. */
    public Heartbeat(String clusterAddress, Set<WorkerId> sees, boolean draining) {
        this(clusterAddress, sees, draining, null, null);
    }
}
