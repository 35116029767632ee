package dev.equipoise.agent.server;

import java.util.Arrays;
import java.util.List;

/** Counts the gradients of each shard that every worker has pushed since the last restart. */
final class Clocks {

    private final List<ServedRank> workers;
    private final long[][] ticks;

    /**
     * @param shards number of shards of all servers
     */
    Clocks(List<ServedRank> workers, int shards) {
        this.workers = workers;
        this.ticks = new long[shards][workers.size()];
    }

    void tick(ServedRank worker, Shard shard) {
        ticks[shard.index()][worker.index()]++;
    }

    /** Returns by how many gradients a worker is ahead of the slowest active worker. */
    long lead(ServedRank worker, Shard shard) {
        long[] ofShard = ticks[shard.index()];
        long own = ofShard[worker.index()];
        long slowest = own;
        for (ServedRank other : workers) {
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
