package dev.equipoise.agent.server;

/*
 * Ho and others, More effective distributed ML via a stale synchronous parallel parameter server,
 * NIPS 2013: worker i may begin iteration c_i only if c_i - min_j c_j <= bound.
 *
 * Every shard has its own clocks, which count its own gradients, so servers need not communicate.
 * Since a worker pulls every shard before it begins, the rule holds for every shard: the values
 * that it gets contain all gradients of the iterations before c_i - bound.
 *
 * No worker waits forever. A push never waits, so a worker waits only in a pull, when all servers
 * have received all its pushes: its clocks are equal on all shards. If all workers wait, take one
 * with the least clock: no clock of any shard is less, so no shard blocks it. For the same reason a
 * server may receive the pull of the next shard only after the pull of the first is answered.
 *
 * Between a worker's read and its push each of the others makes at most 2 bound + 1 updates: it was
 * at most bound behind, and may complete the iteration that is bound ahead.
 */

import java.util.List;

/**
 * Bounded gate (SSP; docs/algorithms.md, section 4.3): answers a pull when the slowest worker is at
 * most {@code bound} iterations behind.
 */
final class BoundedGate implements StalenessGate {

    private final List<ServedRank> workers;
    private final int bound;
    private final Clocks clocks;

    /**
     * @param shards number of shards of all servers
     */
    BoundedGate(List<ServedRank> workers, int bound, int shards) {
        this.workers = workers;
        this.bound = bound;
        this.clocks = new Clocks(workers, shards);
    }

    @Override
    public void pull(ServedRank worker, Message pull, ServedShard served) {
        worker.deferAnswer(served);
        answerEligible();
    }

    @Override
    public void pushed(ServedRank worker, ServedShard served) {
        clocks.tick(worker, served.shard());
        answerEligible();
    }

    @Override
    public void paused() {
        answerEligible();
    }

    private void answerEligible() {
        for (ServedRank worker : workers) {
            ServedShard served = worker.awaited();
            if (served != null && clocks.lead(worker, served.shard()) <= bound) {
                worker.takeSnapshot(served);
                worker.answerSnapshot(served.shard(), served.slot(), served.version(), 0);
            }
        }
    }

    @Override
    public void resume() {
        clocks.restart();
    }
}
