package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.Broadcast;
import dev.equipoise.agent.server.Shard;
import dev.equipoise.agent.server.Sharding;
import java.lang.foreign.MemorySegment;

/** Broadcasts the servers' weights to all ranks, between epochs. */
record ServerWeightGather(Broadcast broadcast, Sharding sharding, MemorySegment weights) {

    /** Broadcasts; every rank calls it, and servers must have written their weights before. */
    void toAll() {
        for (Shard shard : sharding.shards()) {
            broadcast.from(shard.server(), weights.asSlice(shard.offset(), shard.bytes()));
        }
    }
}
