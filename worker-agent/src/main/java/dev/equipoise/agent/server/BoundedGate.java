package dev.equipoise.agent.server;

/*
 * Ho and others, More effective distributed ML via a stale synchronous parallel parameter server,
 * NIPS 2013: replica i may begin iteration c_i only if c_i - min_j c_j <= bound.
 *
 * Every shard has its own clocks, which count its own gradients, so servers need not communicate.
 * Since a replica pulls every shard before it begins, the rule holds for every shard: the values
 * that it gets contain all gradients of the iterations before c_i - bound.
 *
 * No replica waits forever. A push never waits, so a replica waits only in a pull, when all servers
 * have received all its pushes: its clocks are equal on all shards. If all replicas wait, take one
 * with the least clock: no clock of any shard is less, so no shard blocks it. For the same reason a
 * server may receive the pull of the next shard only after the pull of the first is answered.
 *
 * Between a replica's read and its push each of the others makes at most 2 bound + 1 updates: it
 * was at most bound behind, and may complete the iteration that is bound ahead.
 */

import java.util.List;

/**
 * Bounded gate (SSP; docs/algorithms.md, section 4.3): answers a pull when the slowest replica is
 * at most {@code bound} iterations behind.
 */
final class BoundedGate implements StalenessGate {

    private final List<ServedRank> replicas;
    private final int bound;
    private final Clocks clocks;

    /**
     * @param shards number of shards of all servers
     */
    BoundedGate(List<ServedRank> replicas, int bound, int shards) {
        this.replicas = replicas;
        this.bound = bound;
        this.clocks = new Clocks(replicas, shards);
    }

    @Override
    public void pull(ServedRank replica, Message pull, ServedShard served) {
        replica.deferAnswer(served);
        answerEligible();
    }

    @Override
    public void pushed(ServedRank replica, ServedShard served) {
        clocks.tick(replica, served.shard());
        answerEligible();
    }

    @Override
    public void paused() {
        answerEligible();
    }

    private void answerEligible() {
        for (ServedRank replica : replicas) {
            ServedShard served = replica.awaited();
            if (served != null && clocks.lead(replica, served.shard()) <= bound) {
                replica.takeSnapshot(served);
                replica.answerSnapshot(served.shard(), served.slot(), served.version(), 0);
            }
        }
    }

    @Override
    public void resume() {
        clocks.restart();
    }
}
