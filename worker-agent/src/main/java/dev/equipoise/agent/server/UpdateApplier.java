package dev.equipoise.agent.server;

import dev.equipoise.agent.instrument.StalenessCount;
import dev.equipoise.agent.instrument.StalenessHistogram;
import java.lang.foreign.MemorySegment;

/** Applies gradients and counts them by staleness; for the server's thread. */
final class UpdateApplier {

    private final Update update;
    private final StalenessCount staleness = new StalenessCount();
    private long dropped;

    UpdateApplier(Update update) {
        this.update = update;
    }

    /**
     * Applies the aggregate of a number of pushes.
     *
     * @param arrival the arrival of each of them
     */
    void apply(ServedShard served, MemorySegment gradient, Arrival arrival, int pushes) {
        if (served.apply(update, gradient, arrival)) {
            for (int i = 0; i < pushes; i++) {
                staleness.add(arrival.staleness());
            }
        } else {
            dropped += pushes;
        }
    }

    /** Returns the number of samples of the epoch whose gradients have arrived at a shard. */
    long samples(Shard shard) {
        return update.samples(shard);
    }

    StalenessHistogram staleness() {
        return staleness.histogram();
    }

    long dropped() {
        return dropped;
    }
}
