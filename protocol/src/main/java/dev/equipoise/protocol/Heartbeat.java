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

    public Heartbeat {
        Rules.notBlank("clusterAddress", clusterAddress);
        sees = Set.copyOf(sees);
    }
}
