package dev.equipoise.agent.server;

import java.util.Arrays;
import java.util.List;

/** Counts the gradients of each shard that every replica has pushed since the last restart. */
final class Clocks {

    private final List<ServedRank> replicas;
    private final long[][] ticks;

    /**
     * @param shards number of shards of all servers
     */
    Clocks(List<ServedRank> replicas, int shards) {
        this.replicas = replicas;
        this.ticks = new long[shards][replicas.size()];
    }

    void tick(ServedRank replica, Shard shard) {
        ticks[shard.index()][replica.index()]++;
    }

    /** Returns by how many gradients a replica is ahead of the slowest active replica. */
    long lead(ServedRank replica, Shard shard) {
        long[] ofShard = ticks[shard.index()];
        long own = ofShard[replica.index()];
        long slowest = own;
        for (ServedRank other : replicas) {
            if (!other.isPaused()) {
                slowest = Math.min(slowest, ofShard[other.index()]);
            }
        }
        return own - slowest;
    }

    void restart() {
        for (long[] ofShard : ticks) {
            Arrays.fill(ofShard, 0);
        }
    }
}
