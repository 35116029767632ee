package dev.equipoise.agent.replica;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.protocol.Assignment;

/** Brings the ranks of a run together. */
public interface Meeting {

    /**
     * Returns when all ranks are there. The channel fails when one of them leaves the cluster.
     *
     * @throws dev.equipoise.agent.channel.ChannelFailed when they do not come in time
     */
    Channel meet(Assignment.Training assignment) throws InterruptedException;
}
