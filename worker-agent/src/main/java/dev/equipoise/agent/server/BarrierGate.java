package dev.equipoise.agent.server;

/*
 * Tolstobrov's semi-synchronous method (docs/algorithms.md, section 4.3): replicas run ahead up to
 * a bound, then the others finish their iterations, and all synchronize.
 *
 * Servers see pushes in different orders and would reach the bound at different times, so that at
 * the barrier of one server the shards of another server would have been read at any time.
 * Therefore one shard leads, the first of the vector. A replica pulls it before all others, and its
 * server alone counts iterations and stops replicas. An iteration counts as completed when the
 * replica pulls again: then all servers have answered all its pushes. A replica that waits there
 * has no push under way; when all wait, no gradient is under way anywhere. This is the barrier, and
 * all replicas get the values that all shards have then.
 *
 * The answer contains the number of barriers so far, and the pulls of the other shards carry it on.
 * The first pull with a larger number than its shard knows comes before any new gradient of that
 * shard, since a replica pulls a shard before it pushes to it. At that moment the server takes a
 * snapshot of the values for every replica, each in its own slot, so that faster replicas may
 * change the values before slower ones have pulled them.
 *
 * No replica waits forever: a push never waits, nor does a pull of another shard than the leading
 * one, so all replicas that do not pause reach the barrier.
 *
 * Between a replica's read and its push each of the others makes at most 2 bound - 1 updates: it
 * was at most bound - 1 behind, and may complete the iteration that is bound - 1 ahead.
 */

import java.util.Arrays;
import java.util.List;

/**
 * Barrier gate: answers pulls until one replica is too far ahead; then stops all replicas and
 * answers when all have pushed their current gradients.
 */
final class BarrierGate implements StalenessGate {

    private final List<ServedRank> replicas;
    private final int bound;
    private final Clocks clocks;
    private final BarrierSnapshots snapshots;

    /** Whether each replica has pushed a gradient since its last answer. */
    private final boolean[] hasPushed;

    private boolean isStopping;
    private long barriers;

    /**
     * @param shards number of shards of all servers
     */
    BarrierGate(List<ServedRank> replicas, int bound, int shards) {
        this.replicas = replicas;
        this.bound = bound;
        this.clocks = new Clocks(replicas, shards);
        this.snapshots = new BarrierSnapshots(replicas, shards);
        this.hasPushed = new boolean[replicas.size()];
    }

    @Override
    public void pull(ServedRank replica, Message pull, ServedShard served) {
        if (!served.shard().isLeading()) {
            snapshots.answer(replica, pull, served);
            return;
        }
        if (hasPushed[replica.index()]) {
            hasPushed[replica.index()] = false;
            clocks.tick(replica, served.shard());
        }
        isStopping |= clocks.lead(replica, served.shard()) >= bound;
        if (isStopping) {
            replica.deferAnswer(served);
            answerIfAllWait();
        } else {
            answer(replica, served);
        }
    }

    private void answer(ServedRank replica, ServedShard leading) {
        replica.takeSnapshot(leading);
        replica.answerSnapshot(leading.shard(), leading.slot(), leading.version(), barriers);
    }

    private void answerIfAllWait() {
        for (ServedRank replica : replicas) {
            if (!replica.isPaused() && replica.awaited() == null) {
                return;
            }
        }
        isStopping = false;
        barriers++;
        clocks.restart();
        for (ServedRank replica : replicas) {
            ServedShard leading = replica.awaited();
            if (leading != null) {
                answer(replica, leading);
            }
        }
    }

    @Override
    public void pushed(ServedRank replica, ServedShard served) {
        hasPushed[replica.index()] = true;
    }

    @Override
    public void paused() {
        if (isStopping) {
            answerIfAllWait();
        }
    }

    @Override
    public void resume() {
        isStopping = false;
        Arrays.fill(hasPushed, false);
        clocks.restart();
        snapshots.clear();
    }
}
