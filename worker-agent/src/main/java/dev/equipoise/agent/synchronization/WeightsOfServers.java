package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.Broadcast;
import dev.equipoise.agent.server.Shard;
import dev.equipoise.agent.server.Sharding;
import java.lang.foreign.MemorySegment;

/** Brings what the servers have to all ranks, when nobody trains. */
record WeightsOfServers(Broadcast broadcast, Sharding sharding, MemorySegment weights) {

    /** Every rank calls it; those that serve have written theirs. */
    void toAll() {
        for (Shard shard : sharding.shards()) {
            broadcast.from(shard.server(), weights.asSlice(shard.offset(), shard.bytes()));
        }
    }
}
