package dev.equipoise.agent.synchronization;

import java.lang.foreign.MemorySegment;

/** Sums vectors over all replicas, with the loss of the codec; all replicas call it. */
@FunctionalInterface
interface VectorAggregator {

    /** Returns the sum for vectors that are gradients, of the scale 1. */
    default MemorySegment of(MemorySegment vector, double factor) {
        return of(vector, factor, 1);
    }

    /**
     * Returns the sum over all replicas of factor times vector, with the same bits on each.
     *
     * @param vector stays unchanged, and is not read if the factor is 0
     * @param gradientScale factor by which the vector holds a gradient of the replica's own loss,
     *     at least 0; a fixed threshold refers to that gradient
     * @return view that the next call overwrites
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost
     */
    MemorySegment of(MemorySegment vector, double factor, double gradientScale);
}
