package dev.equipoise.agent.server;

/*
 * Ho and others, More effective distributed ML via a stale synchronous parallel parameter server,
 * NIPS 2013: worker i may begin iteration c_i only if c_i - min_j c_j <= bound.
 *
 * Every shard has clocks of its own, which count its own gradients, so no server needs to hear of
 * another one's. Since a worker asks for every shard before it begins, the rule holds for every
 * shard: the values that it gets contain all gradients of the iterations before c_i - bound.
 *
 * Nobody waits for ever. A push never waits, so whoever waits, waits in a pull, when all servers have
 * all that it has brought: its clocks are equal on all shards. Of those who wait while nobody is on
 * its way, take one with the least clock: no clock of any shard is less, so that no shard holds it
 * back. For the same reason it does no harm that a server hears the pull of the next shard only when
 * that of the first is answered.
 *
 * Between a worker's read and its push each of the others makes at most 2 bound + 1 updates: it was
 * at most bound behind, and gets to complete the iteration that is bound ahead.
 */

import java.util.List;

/** When the slowest is not too far behind. */
final class BoundedGate implements Gate {

    private final List<Worker> workers;
    private final int bound;
    private final Clocks clocks;

    /**
     * @param shards of all servers
     */
    BoundedGate(List<Worker> workers, int bound, int shards) {
        this.workers = workers;
        this.bound = bound;
        this.clocks = new Clocks(workers, shards);
    }

    @Override
    public void pull(Worker worker, Message pull, Holding holding) {
        worker.waitFor(holding);
        answerWhoMayBegin();
    }

    @Override
    public void pushed(Worker worker, Holding holding) {
        clocks.tick(worker, holding.shard());
        answerWhoMayBegin();
    }

    @Override
    public void paused() {
        answerWhoMayBegin();
    }

    private void answerWhoMayBegin() {
        for (Worker worker : workers) {
            Holding holding = worker.awaited();
            if (holding != null && clocks.lead(worker, holding.shard()) <= bound) {
                worker.setAside(holding);
                worker.answerAside(holding.shard(), holding.place(), holding.version(), 0);
            }
        }
    }

    @Override
    public void resume() {
        clocks.restart();
    }
}
