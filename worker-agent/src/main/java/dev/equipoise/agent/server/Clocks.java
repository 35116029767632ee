package dev.equipoise.agent.server;

import java.util.Arrays;
import java.util.List;

/** How many gradients of each shard every worker has brought since all began. */
final class Clocks {

    private final List<Worker> workers;
    private final long[][] ticks;

    /**
     * @param shards of all servers
     */
    Clocks(List<Worker> workers, int shards) {
        this.workers = workers;
        this.ticks = new long[shards][workers.size()];
    }

    void tick(Worker worker, Shard shard) {
        ticks[shard.index()][worker.index()]++;
    }

    /** By how many gradients a worker is ahead of the slowest that has not paused. */
    long lead(Worker worker, Shard shard) {
        long[] ofShard = ticks[shard.index()];
        long own = ofShard[worker.index()];
        long slowest = own;
        for (Worker other : workers) {
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
