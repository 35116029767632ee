package dev.equipoise.agent.server;

import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.FloatSum;
import dev.equipoise.agent.collective.Slices;
import dev.equipoise.agent.server.Mode.Aggregate;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Applies when all have come. Each slice of a round is summed as soon as every worker's is there,
 * while the next ones move, and in the order of the ranks, so that the sum does not depend on who
 * was first. A frame is one slice: it can be decoded only as a whole.
 *
 * <p>Answers leave straight from the server's memory: it changes only when every worker has brought
 * its next gradient, for which it needs the answer first.
 */
final class Rounds implements Discipline {

    private final List<Worker> workers;
    private final Aggregate aggregate;
    private final Ledger ledger;
    private final Answers answers;
    private final FloatSum sum = FloatSum.fastest();
    private final FloatScale scale = FloatScale.fastest();

    /** The bytes of this round's gradient that are summed. */
    private long summed;

    Rounds(List<Worker> workers, Aggregate aggregate, Ledger ledger, Answers answers) {
        this.workers = workers;
        this.aggregate = aggregate;
        this.ledger = ledger;
        this.answers = answers;
    }

    @Override
    public void pull(Worker worker, Message pull, Holding holding) {
        answers.pull(worker, holding);
    }

    /** All bring their shards in the same order, or they would wait for each other. */
    @Override
    public boolean accepts(Message push, Holding holding) {
        for (Worker worker : workers) {
            refuseIf(worker.isPaused());
            Message other = worker.pushing();
            if (other != null && other.shard() != push.shard()) {
                return false;
            }
        }
        return push.version() == holding.version();
    }

    /** Looks at all workers once, without an iterator: it is called for every slice. */
    @Override
    public void advance(Worker worker, Message push, Holding holding) {
        long whole = holding.shard().bytes();
        boolean allHaveBrought = true;
        for (int i = 0; i < workers.size(); i++) {
            whole = Math.min(whole, workers.get(i).arrived(holding));
            allHaveBrought &= workers.get(i).hasBrought();
        }
        sumUp(holding, whole);
        if (allHaveBrought) {
            applyAll(holding);
        }
    }

    /** Sums those slices that all workers have brought, into the gradient of the first. */
    private void sumUp(Holding holding, long whole) {
        MemorySegment totals = workers.getFirst().places();
        while (summed < whole) {
            long length = Slices.length(summed, holding.shard().bytes());
            long at = holding.place() + summed;
            for (int i = 1; i < workers.size(); i++) {
                sum.add(totals, at, workers.get(i).places(), at, length);
            }
            summed += length;
        }
    }

    private void applyAll(Holding holding) {
        MemorySegment total = workers.getFirst().gradient(holding);
        summed = 0;
        if (aggregate == Aggregate.MEAN) {
            scale.scale(total, 1f / workers.size(), total);
        }
        ledger.apply(holding, total, 0, workers.size());
        answers.answerAll(workers, holding);
    }

    @Override
    public void pause() {
        for (Worker worker : workers) {
            refuseIf(worker.pushing() != null);
        }
    }

    private static void refuseIf(boolean onePausesAsOnePushes) {
        if (onePausesAsOnePushes) {
            throw new MessageRefused("a worker has paused before the round was over");
        }
    }

    @Override
    public void resume() {
        summed = 0;
    }
}
