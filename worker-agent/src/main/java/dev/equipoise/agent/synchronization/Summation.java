package dev.equipoise.agent.synchronization;

import java.lang.foreign.MemorySegment;

/** Adds vectors of all replicas up, as exactly as the codec has it; all replicas call it. */
@FunctionalInterface
interface Summation {

    /**
     * The sum over all replicas of factor times vector, the same bits on each.
     *
     * @param vector left as it is, and not read where the factor is 0
     * @return a view that the next call overwrites
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost
     */
    MemorySegment of(MemorySegment vector, double factor);
}
