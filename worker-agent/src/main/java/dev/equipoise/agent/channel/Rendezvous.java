package dev.equipoise.agent.channel;

import dev.equipoise.protocol.Assignment;
import java.util.List;

/** Connects the ranks of an assignment that several workers share. */
public interface Rendezvous {

    /**
     * Waits until all ranks are connected. The channel fails when one of them leaves the cluster,
     * and its links are shaped to the limits of the assignment.
     *
     * @throws ChannelFailed when a rank does not connect in time
     */
    Channel meet(Assignment.Joint assignment) throws InterruptedException;

    /**
     * Returns the ranks whose agents this agent cannot see right now. A visible agent may still be
     * unreachable.
     */
    default List<Integer> missing(Assignment.Joint assignment) {
        return List.of();
    }
}
