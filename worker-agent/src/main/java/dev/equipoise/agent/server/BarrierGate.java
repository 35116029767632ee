package dev.equipoise.agent.server;

/*
 * Tolstobrov's semi-synchronous method (ALGORITHMS section 4.3): run ahead up to a limit, then wait
 * for what the others have in hand, and synchronise all.
 *
 * Servers see pushes in unlike orders, and would see the limit reached at unlike times, so that at a
 * barrier of one server the shards of another would have been read at any time. So one shard leads,
 * the first of the vector. A worker asks for it before all others, and its server alone counts
 * iterations and stops workers. It takes an iteration for completed when the worker asks again: then
 * all servers have answered all that it had brought. Whoever waits there has nothing in hand; when
 * all wait, no gradient is under way anywhere. This is the barrier, and the values of all shards are
 * those that everybody is to get.
 *
 * The answer says how many barriers there have been, and the pulls of the other shards pass it on. The
 * first that says more than its shard has heard comes before any new gradient of that shard, since
 * who brings one has pulled it before. At that moment the values are set aside for every worker, each
 * in its own place, so that the faster ones may change them while the slower ones have not asked yet.
 *
 * Nobody waits for ever: a push never waits, nor does a pull of another shard than the leading one;
 * so all who do not pause come to the barrier.
 *
 * Between a worker's read and its push each of the others makes at most 2 bound - 1 updates: it was
 * at most bound - 1 behind, and gets to complete the iteration that is bound - 1 ahead.
 */

import java.util.Arrays;
import java.util.List;

/** Until one is too far ahead; then when all have brought what they had in hand. */
final class BarrierGate implements Gate {

    private final List<Worker> workers;
    private final int bound;
    private final Clocks clocks;
    private final Asides asides;

    /** By worker: whether it has brought a gradient since it was answered. */
    private final boolean[] hasPushed;

    private boolean isStopping;
    private long barriers;

    /**
     * @param shards of all servers
     */
    BarrierGate(List<Worker> workers, int bound, int shards) {
        this.workers = workers;
        this.bound = bound;
        this.clocks = new Clocks(workers, shards);
        this.asides = new Asides(workers, shards);
        this.hasPushed = new boolean[workers.size()];
    }

    @Override
    public void pull(Worker worker, Message pull, Holding holding) {
        if (!holding.shard().isLeading()) {
            asides.answer(worker, pull, holding);
            return;
        }
        if (hasPushed[worker.index()]) {
            hasPushed[worker.index()] = false;
            clocks.tick(worker, holding.shard());
        }
        isStopping |= clocks.lead(worker, holding.shard()) >= bound;
        if (isStopping) {
            worker.waitFor(holding);
            answerIfAllWait();
        } else {
            answer(worker, holding);
        }
    }

    private void answer(Worker worker, Holding leading) {
        worker.setAside(leading);
        worker.answerAside(leading.shard(), leading.place(), leading.version(), barriers);
    }

    private void answerIfAllWait() {
        for (Worker worker : workers) {
            if (!worker.isPaused() && worker.awaited() == null) {
                return;
            }
        }
        isStopping = false;
        barriers++;
        clocks.restart();
        for (Worker worker : workers) {
            Holding leading = worker.awaited();
            if (leading != null) {
                answer(worker, leading);
            }
        }
    }

    @Override
    public void pushed(Worker worker, Holding holding) {
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
        asides.forget();
    }
}
