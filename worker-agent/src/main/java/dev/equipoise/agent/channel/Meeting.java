package dev.equipoise.agent.channel;

import dev.equipoise.protocol.Assignment;
import java.util.List;

/** Brings together the ranks of work that several workers do. */
public interface Meeting {

    /**
     * Returns when all ranks are there. The channel fails when one of them leaves the cluster, and
     * holds its links back to the limits of the assignment.
     *
     * @throws ChannelFailed when they do not come in time
     */
    Channel meet(Assignment.Joint assignment) throws InterruptedException;

    /**
     * The ranks whose agents are not to be seen at this moment; not all that are may be reached.
     */
    default List<Integer> missing(Assignment.Joint assignment) {
        return List.of();
    }
}
