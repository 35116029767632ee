package dev.equipoise.agent.collective;

import java.lang.foreign.MemorySegment;

/** All-reduce: sums a vector over all ranks. Every rank calls it, with vectors of equal length. */
public interface AllReduce {

    /**
     * Replaces the float32 vector of every rank by the sum over all ranks, with the same bits on
     * all of them.
     *
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost; the vector then holds
     *     partial sums and must be discarded
     */
    void sum(MemorySegment vector);
}
