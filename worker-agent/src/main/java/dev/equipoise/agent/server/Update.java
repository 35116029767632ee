package dev.equipoise.agent.server;

import java.lang.foreign.MemorySegment;

/** What a server does with a gradient, such as {@code w <- w - eta / max(1, staleness) g}. */
@FunctionalInterface
public interface Update {

    /**
     * Changes the weights of one shard in place. The server's thread calls it.
     *
     * @param weights of the shard alone, float32
     * @param gradient as long; overwritten by the next one
     * @param staleness how many updates the shard has had since the weights that the gradient was
     *     computed on were read; 0 where all go in rounds
     * @return false if the gradient was dropped and the weights are as they were
     */
    boolean apply(Shard shard, MemorySegment weights, MemorySegment gradient, long staleness);
}
