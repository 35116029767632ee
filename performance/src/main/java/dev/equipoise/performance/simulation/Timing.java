package dev.equipoise.performance.simulation;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a simulated run took.
 *
 * @param seconds until the last replica was done
 * @param replicas in their order
 * @param bytes sent by all ranks
 * @param serverUtilisation the part of the time in which the busiest server's wires were; 0 without
 *     servers
 * @param staleness how many gradients were how many versions old when they were applied; empty
 *     where none ever is
 */
public record Timing(
        double seconds,
        List<ReplicaTime> replicas,
        double bytes,
        double serverUtilisation,
        SortedMap<Integer, Long> staleness) {

    public Timing {
        replicas = List.copyOf(replicas);
        staleness = new TreeMap<>(staleness);
    }

    /**
     * Of one replica, in seconds.
     *
     * @param computing repairs left out
     * @param transferring in which it exchanged, and nobody it needed was late
     * @param waiting for whom it needed
     */
    public record ReplicaTime(double computing, double transferring, double waiting) {}
}
