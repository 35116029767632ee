package dev.equipoise.agent.server;

import java.util.Arrays;
import java.util.List;

/** The values of a barrier, for every worker that has not asked for them yet. */
final class Asides {

    private final List<Worker> workers;
    private final OfShard[] shards;

    Asides(List<Worker> workers, int shards) {
        this.workers = workers;
        this.shards = new OfShard[shards];
        Arrays.setAll(this.shards, _ -> new OfShard(workers.size()));
    }

    /** How many barriers a shard has heard of, and what it has set aside at the last one. */
    private static final class OfShard {
        final boolean[] isAside;
        long barriers;
        long version;

        OfShard(int workers) {
            isAside = new boolean[workers];
        }
    }

    /** Answers with the values of the last barrier, to each worker once, or with those of now. */
    void answer(Worker worker, Message pull, Holding holding) {
        OfShard last = shards[holding.shard().index()];
        if (pull.number() == last.barriers + 1 && nobodyBrings()) {
            setAside(last, holding);
        }
        if (pull.number() != last.barriers) {
            throw new MessageRefused(
                    "rank %d sent %s after %d barriers"
                            .formatted(worker.rank(), pull, last.barriers));
        }
        long version = last.version;
        if (!last.isAside[worker.index()]) {
            worker.setAside(holding);
            version = holding.version();
        }
        last.isAside[worker.index()] = false;
        worker.answerAside(holding.shard(), holding.place(), version, pull.number());
    }

    /** The places in which values are set aside are those where gradients arrive. */
    private boolean nobodyBrings() {
        for (Worker worker : workers) {
            if (worker.pushing() != null) {
                return false;
            }
        }
        return true;
    }

    private void setAside(OfShard last, Holding holding) {
        last.barriers++;
        last.version = holding.version();
        for (Worker worker : workers) {
            worker.setAside(holding);
            last.isAside[worker.index()] = true;
        }
    }

    void forget() {
        for (OfShard shard : shards) {
            Arrays.fill(shard.isAside, false);
        }
    }
}
