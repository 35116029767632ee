package dev.equipoise.agent.server;

import java.util.Arrays;
import java.util.List;

/** The values of the last barrier, for every replica that has not pulled them yet. */
final class BarrierSnapshots {

    private final List<ServedRank> replicas;
    private final ShardSnapshots[] shards;

    BarrierSnapshots(List<ServedRank> replicas, int shards) {
        this.replicas = replicas;
        this.shards = new ShardSnapshots[shards];
        Arrays.setAll(this.shards, _ -> new ShardSnapshots(replicas.size()));
    }

    /**
     * The number of barriers that a shard knows, and the replicas with a snapshot of the last one.
     */
    private static final class ShardSnapshots {
        final boolean[] hasSnapshot;
        long barriers;
        long version;

        ShardSnapshots(int replicas) {
            hasSnapshot = new boolean[replicas];
        }
    }

    /**
     * Answers a pull with the values of the last barrier, once for each replica, or else with the
     * current values.
     */
    void answer(ServedRank replica, Message pull, ServedShard served) {
        ShardSnapshots last = shards[served.shard().index()];
        if (pull.number() == last.barriers + 1 && isNoPushUnderWay()) {
            takeSnapshot(last, served);
        }
        if (pull.number() != last.barriers) {
            throw new MessageRefused(
                    "rank %d sent %s, but this shard has passed %d barriers"
                            .formatted(replica.rank(), pull, last.barriers));
        }
        long version = last.version;
        if (!last.hasSnapshot[replica.index()]) {
            replica.takeSnapshot(served);
            version = served.version();
        }
        last.hasSnapshot[replica.index()] = false;
        replica.answerSnapshot(served.shard(), served.slot(), version, pull.number());
    }

    /**
     * Returns whether no push is under way, since the slots for snapshots are those in which
     * gradients arrive.
     */
    private boolean isNoPushUnderWay() {
        for (ServedRank replica : replicas) {
            if (replica.pushing() != null) {
                return false;
            }
        }
        return true;
    }

    private void takeSnapshot(ShardSnapshots last, ServedShard served) {
        last.barriers++;
        last.version = served.version();
        for (ServedRank replica : replicas) {
            replica.takeSnapshot(served);
            last.hasSnapshot[replica.index()] = true;
        }
    }

    void clear() {
        for (ShardSnapshots shard : shards) {
            Arrays.fill(shard.hasSnapshot, false);
        }
    }
}
