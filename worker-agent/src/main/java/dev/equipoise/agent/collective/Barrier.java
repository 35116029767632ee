package dev.equipoise.agent.collective;

/*
 * The dissemination barrier of Hensgen, Finkel and Manber (Two algorithms for barrier
 * synchronization, 1988): in round k each rank signals rank + 2^k and waits for rank - 2^k; after
 * ceil(log2 P) rounds every rank has heard from all others, directly or indirectly, for any P.
 */

import dev.equipoise.agent.channel.Channel;
import java.lang.foreign.MemorySegment;

/** Barrier: holds every rank until all have arrived. */
public final class Barrier {

    private final Channel channel;

    public Barrier(Channel channel) {
        this.channel = channel;
    }

    /**
     * Waits until every rank has called this method as often as this one.
     *
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost
     */
    public void await() {
        int size = channel.size();
        for (int distance = 1; distance < size; distance *= 2) {
            channel.exchange(
                    Math.floorMod(channel.rank() + distance, size),
                    MemorySegment.NULL,
                    Math.floorMod(channel.rank() - distance, size),
                    MemorySegment.NULL);
        }
    }
}
