package dev.equipoise.protocol;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A sign of life, sent every few seconds.
 *
 * @param clusterAddress host:port of the worker's cluster member, which a new start may change
 * @param sees the workers whose cluster members this one sees, itself included
 * @param draining whether the worker takes no further assignments and will leave
 * @param load how many threads of all programs on the worker's host were at work or ready for it,
 *     on average over the last minute, from 0; null where its system does not tell
 */
public record Heartbeat(
        String clusterAddress, Set<WorkerId> sees, boolean draining, @Nullable Double load)
        implements AgentMessage {

    /** The longest cluster address, in characters. */
    public static final int MAX_ADDRESS = 300;

    /** The most workers that one may see. */
    public static final int MAX_SEEN = 10_000;

    /** The highest load. */
    public static final int MAX_LOAD = 1_000_000;

    public Heartbeat {
        Rules.address("clusterAddress", clusterAddress, MAX_ADDRESS);
        Rules.size("sees", sees, MAX_SEEN);
        sees = Set.copyOf(sees);
        if (load != null) {
            Rules.between("load", load, 0, MAX_LOAD);
        }
    }

    /** Of a host that does not tell its load. */
    public Heartbeat(String clusterAddress, Set<WorkerId> sees, boolean draining) {
        this(clusterAddress, sees, draining, null);
    }
}
