package dev.equipoise.protocol;

import java.util.Set;

/**
 * A sign of life, sent every few seconds.
 *
 * @param clusterAddress host:port of the worker's cluster member, which a new start may change
 * @param sees the workers whose cluster members this one sees, itself included
 * @param draining whether the worker takes no further assignments and will leave
 */
public record Heartbeat(String clusterAddress, Set<WorkerId> sees, boolean draining) {

    /** The longest cluster address, in characters. */
    public static final int MAX_ADDRESS = 300;

    /** The most workers that one may see. */
    public static final int MAX_SEEN = 10_000;

    public Heartbeat {
        Rules.address("clusterAddress", clusterAddress, MAX_ADDRESS);
        Rules.size("sees", sees, MAX_SEEN);
        sees = Set.copyOf(sees);
    }
}
