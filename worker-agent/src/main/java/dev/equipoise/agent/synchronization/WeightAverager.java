package dev.equipoise.agent.synchronization;

import java.lang.foreign.MemorySegment;

/** Averages the weights of replicas, partly or fully. */
@FunctionalInterface
interface WeightAverager {

    /** Averages vectors that are sent without a codec. */
    default void on(MemorySegment weights, double aggregationWeight) {
        on(weights, aggregationWeight, 1);
    }

    /**
     * Replaces the weights with the average over this rank and others.
     *
     * @param aggregationWeight aggregation weight of this rank, of 1 in total
     * @param gradientScale sum of the learning rates of this rank's steps since the last average,
     *     by which the update holds their mean gradient; at least 0
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost
     */
    void on(MemorySegment weights, double aggregationWeight, double gradientScale);

    /** Restarts from new weights, which all ranks have. */
    default void restart(MemorySegment weights) {}
}
