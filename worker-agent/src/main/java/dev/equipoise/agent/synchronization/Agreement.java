package dev.equipoise.agent.synchronization;

import java.lang.foreign.MemorySegment;

/** Brings the weights of replicas together, in part or altogether. */
@FunctionalInterface
interface Agreement {

    /**
     * Overwrites the weights by what this rank agrees on with others.
     *
     * @param portion how much this rank's weights count, of 1 in all
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost
     */
    void on(MemorySegment weights, double portion);

    /** The weights are now others, on which all agree. */
    default void restart(MemorySegment weights) {}
}
