package dev.equipoise.agent.server;

import java.util.Arrays;
import java.util.List;

/** The values of the last barrier, for every worker that has not pulled them yet. */
final class BarrierSnapshots {

    private final List<ServedRank> workers;
    private final ShardSnapshots[] shards;

    BarrierSnapshots(List<ServedRank> workers, int shards) {
        this.workers = workers;
        this.shards = new ShardSnapshots[shards];
        Arrays.setAll(this.shards, _ -> new ShardSnapshots(workers.size()));
    }

    /**
     * The number of barriers that a shard knows, and the workers with a snapshot of the last one.
     */
    private static final class ShardSnapshots {
        final boolean[] hasSnapshot;
        long barriers;
        long version;

        ShardSnapshots(int workers) {
            hasSnapshot = new boolean[workers];
        }
    }

    /**
     * Answers a pull with the values of the last barrier, once for each worker, or else with the
     * current values.
     */
    void answer(ServedRank worker, Message pull, ServedShard served) {
        ShardSnapshots last = shards[served.shard().index()];
        if (pull.number() == last.barriers + 1 && isNoPushUnderWay()) {
            takeSnapshot(last, served);
        }
        if (pull.number() != last.barriers) {
            throw new MessageRefused(
                    "rank %d sent %s, but this shard has passed %d barriers"
                            .formatted(worker.rank(), pull, last.barriers));
        }
        long version = last.version;
        if (!last.hasSnapshot[worker.index()]) {
            worker.takeSnapshot(served);
            version = served.version();
        }
        last.hasSnapshot[worker.index()] = false;
        worker.answerSnapshot(served.shard(), served.slot(), version, pull.number());
    }

    /**
     * Returns whether no push is under way, since the slots for snapshots are those in which
     * gradients arrive.
     */
    private boolean isNoPushUnderWay() {
        for (ServedRank worker : workers) {
            if (worker.pushing() != null) {
                return false;
            }
        }
        return true;
    }

    private void takeSnapshot(ShardSnapshots last, ServedShard served) {
        last.barriers++;
        last.version = served.version();
        for (ServedRank worker : workers) {
            worker.takeSnapshot(served);
            last.hasSnapshot[worker.index()] = true;
        }
    }

    void clear() {
        for (ShardSnapshots shard : shards) {
            Arrays.fill(shard.hasSnapshot, false);
        }
    }
}
