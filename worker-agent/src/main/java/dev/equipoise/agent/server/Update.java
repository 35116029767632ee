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
     * @return false if the gradient was dropped and the weights are unchanged
     */
    boolean apply(Shard shard, MemorySegment weights, MemorySegment gradient, Arrival arrival);

    /**
     * Returns the number of samples of the epoch whose gradients have arrived at a shard; 0 if the
     * update does not count samples.
     */
    default long samples(Shard shard) {
        return 0;
    }
}
