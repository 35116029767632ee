package dev.equipoise.agent.server;

import java.lang.foreign.MemorySegment;

/** Applies a gradient on a server, such as {@code w <- w - eta / max(1, staleness) g}. */
@FunctionalInterface
public interface Update {

    /**
     * Changes the weights of one shard in place. The server's thread calls it.
     *
     * @param weights of this shard, float32
     * @param gradient of equal length; overwritten by the next one
     * @param staleness updates of the shard between the read of the weights on which the gradient
     *     was computed and now; 0 in rounds
     * @return false if the gradient was dropped and the weights are unchanged
     */
    boolean apply(Shard shard, MemorySegment weights, MemorySegment gradient, long staleness);
}
