package dev.equipoise.agent.collective;

import dev.equipoise.agent.channel.Channel;
import java.lang.foreign.MemorySegment;

/*
 * Thakur, Rabenseifner and Gropp (Optimization of collective communication operations in MPICH,
 * 2005), section 4.5: the largest power of two of ranks, the core, runs the algorithm; each rank
 * beyond gives its vector to a core rank before and gets the sum after.
 */
/** Folds any number of ranks to a power of two, for algorithms that need one. */
final class PowerOfTwoFold {

    private final Channel channel;
    private final PipelineSegments segments;
    private final int core;

    PowerOfTwoFold(Channel channel, PipelineSegments segments) {
        this.channel = channel;
        this.segments = segments;
        this.core = Integer.highestOneBit(channel.size());
    }

    /** Number of core ranks, which run the algorithm. */
    int core() {
        return core;
    }

    /** Returns whether this rank is a core rank. */
    boolean isCore() {
        return channel.rank() < core;
    }

    void before(MemorySegment vector, long bytes) {
        if (!isCore()) {
            segments.send(partner(), vector, 0, bytes);
        } else if (hasPartner()) {
            segments.add(partner(), vector, 0, bytes, PipelineSegments.NO_RANK);
        }
    }

    void after(MemorySegment vector, long bytes) {
        if (!isCore()) {
            segments.receive(partner(), vector, 0, bytes, PipelineSegments.NO_RANK);
        } else if (hasPartner()) {
            segments.send(partner(), vector, 0, bytes);
        }
        if (hasPartner()) {
            channel.awaitSent(partner());
        }
    }

    private boolean hasPartner() {
        return !isCore() || channel.rank() + core < channel.size();
    }

    private int partner() {
        return isCore() ? channel.rank() + core : channel.rank() - core;
    }
}
