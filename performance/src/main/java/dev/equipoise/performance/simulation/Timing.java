package dev.equipoise.performance.simulation;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Result of a simulated run.
 *
 * @param seconds until the last replica was done
 * @param replicas in rank order
 * @param bytes sent by all ranks
 * @param serverUtilization busy part of the time of the busiest server's outgoing port, from 0 to
 *     1; 0 without servers
 * @param staleness number of applied gradients by staleness; empty for methods without staleness
 */
public record Timing(
        double seconds,
        List<ReplicaTime> replicas,
        double bytes,
        double serverUtilization,
        SortedMap<Integer, Long> staleness) {

    public Timing {
        replicas = List.copyOf(replicas);
        staleness = new TreeMap<>(staleness);
    }

    /**
     * Times of one replica, in seconds.
     *
     * @param computing without repairs
     * @param transferring exchanging after all participants that the replica needs were ready
     * @param waiting until the last participant that the replica needs was ready
     */
    public record ReplicaTime(double computing, double transferring, double waiting) {}
}
