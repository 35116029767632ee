package dev.equipoise.agent.collective;

import java.lang.foreign.MemorySegment;

/** Sums a vector over all ranks; every rank calls it, with vectors of the same length. */
public interface AllReduce {

    /**
     * Replaces the float32 vector of every rank by their sum, the same bits everywhere.
     *
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost; the vector then holds
     *     partial sums and must be thrown away
     */
    void sum(MemorySegment vector);
}
