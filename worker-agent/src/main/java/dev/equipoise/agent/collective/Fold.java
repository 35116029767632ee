package dev.equipoise.agent.collective;

import dev.equipoise.agent.channel.Channel;
import java.lang.foreign.MemorySegment;

/*
 * Thakur, Rabenseifner and Gropp (Optimization of collective communication operations in MPICH,
 * 2005), section 4.5: what goes by powers of two is done by the largest power of two of ranks; each
 * of the ranks beyond gives its vector to one of them before and gets the sum after.
 */
/** Makes any number of ranks a power of two. */
final class Fold {

    private final Channel channel;
    private final Slices slices;
    private final int core;

    Fold(Channel channel, Slices slices) {
        this.channel = channel;
        this.slices = slices;
        this.core = Integer.highestOneBit(channel.size());
    }

    /** How many ranks take part between. */
    int core() {
        return core;
    }

    /** Whether this rank takes part between. */
    boolean takesPart() {
        return channel.rank() < core;
    }

    void before(MemorySegment vector, long bytes) {
        if (!takesPart()) {
            slices.send(partner(), vector, 0, bytes);
        } else if (hasPartner()) {
            slices.add(partner(), vector, 0, bytes, Slices.NOBODY);
        }
    }

    void after(MemorySegment vector, long bytes) {
        if (!takesPart()) {
            slices.receive(partner(), vector, 0, bytes, Slices.NOBODY);
        } else if (hasPartner()) {
            slices.send(partner(), vector, 0, bytes);
        }
        if (hasPartner()) {
            channel.awaitSent(partner());
        }
    }

    private boolean hasPartner() {
        return !takesPart() || channel.rank() + core < channel.size();
    }

    private int partner() {
        return takesPart() ? channel.rank() + core : channel.rank() - core;
    }
}
