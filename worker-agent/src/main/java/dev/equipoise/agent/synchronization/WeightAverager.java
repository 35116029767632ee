package dev.equipoise.agent.synchronization;

import java.lang.foreign.MemorySegment;

/** Averages the weights of replicas, partly or fully. */
@FunctionalInterface
interface WeightAverager {

    /**
     * Replaces the weights with the average over this rank and others.
     *
     * @param aggregationWeight aggregation weight of this rank, of 1 in total
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost
     */
    void on(MemorySegment weights, double aggregationWeight);

    /** Restarts from new weights, which all ranks have. */
    default void restart(MemorySegment weights) {}
}
