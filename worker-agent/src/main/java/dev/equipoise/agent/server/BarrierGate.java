package dev.equipoise.agent.server;

/*
 * Tolstobrov's semi-synchronous method (docs/algorithms.md, section 4.3): workers run ahead up to a
 * bound, then the others finish their iterations, and all synchronize.
 *
 * Servers see pushes in different orders and would reach the bound at different times, so that at
 * the barrier of one server the shards of another server would have been read at any time.
 * Therefore one shard leads, the first of the vector. A worker pulls it before all others, and its
 * server alone counts iterations and stops workers. An iteration counts as completed when the
 * worker pulls again: then all servers have answered all its pushes. A worker that waits there has
 * no push under way; when all wait, no gradient is under way anywhere. This is the barrier, and all
 * workers get the values that all shards have then.
 *
 * The answer contains the number of barriers so far, and the pulls of the other shards carry it on.
 * The first pull with a larger number than its shard knows comes before any new gradient of that
 * shard, since a worker pulls a shard before it pushes to it. At that moment the server takes a
 * snapshot of the values for every worker, each in its own slot, so that faster workers may change
 * the values before slower ones have pulled them.
 *
 * No worker waits forever: a push never waits, nor does a pull of another shard than the leading
 * one, so all workers that do not pause reach the barrier.
 *
 * Between a worker's read and its push each of the others makes at most 2 bound - 1 updates: it was
 * at most bound - 1 behind, and may complete the iteration that is bound - 1 ahead.
 */

import java.util.Arrays;
import java.util.List;

/**
 * Barrier gate: answers pulls until one worker is too far ahead; then stops all workers and answers
 * when all have pushed their current gradients.
 */
final class BarrierGate implements StalenessGate {

    private final List<ServedRank> workers;
    private final int bound;
    private final Clocks clocks;
    private final BarrierSnapshots snapshots;

    /** Whether each worker has pushed a gradient since its last answer. */
    private final boolean[] hasPushed;

    private boolean isStopping;
    private long barriers;

    /**
     * @param shards number of shards of all servers
     */
    BarrierGate(List<ServedRank> workers, int bound, int shards) {
        this.workers = workers;
        this.bound = bound;
        this.clocks = new Clocks(workers, shards);
        this.snapshots = new BarrierSnapshots(workers, shards);
        this.hasPushed = new boolean[workers.size()];
    }

    @Override
    public void pull(ServedRank worker, Message pull, ServedShard served) {
        if (!served.shard().isLeading()) {
            snapshots.answer(worker, pull, served);
            return;
        }
        if (hasPushed[worker.index()]) {
            hasPushed[worker.index()] = false;
            clocks.tick(worker, served.shard());
        }
        isStopping |= clocks.lead(worker, served.shard()) >= bound;
        if (isStopping) {
            worker.deferAnswer(served);
            answerIfAllWait();
        } else {
            answer(worker, served);
        }
    }

    private void answer(ServedRank worker, ServedShard leading) {
        worker.takeSnapshot(leading);
        worker.answerSnapshot(leading.shard(), leading.slot(), leading.version(), barriers);
    }

    private void answerIfAllWait() {
        for (ServedRank worker : workers) {
            if (!worker.isPaused() && worker.awaited() == null) {
                return;
            }
        }
        isStopping = false;
        barriers++;
        clocks.restart();
        for (ServedRank worker : workers) {
            ServedShard leading = worker.awaited();
            if (leading != null) {
                answer(worker, leading);
            }
        }
    }

    @Override
    public void pushed(ServedRank worker, ServedShard served) {
        hasPushed[worker.index()] = true;
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
