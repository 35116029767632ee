package dev.equipoise.agent.server;

import dev.equipoise.agent.instrument.StalenessCount;
import dev.equipoise.agent.instrument.StalenessHistogram;
import java.lang.foreign.MemorySegment;

/** Applies gradients and counts them by their staleness; for the server's thread. */
final class Ledger {

    private final Update update;
    private final StalenessCount staleness = new StalenessCount();
    private long dropped;

    Ledger(Update update) {
        this.update = update;
    }

    /**
     * Applies what came of a number of pushes.
     *
     * @param updatesBetween how stale each of them is
     */
    void apply(Holding holding, MemorySegment gradient, long updatesBetween, int pushes) {
        if (holding.apply(update, gradient, updatesBetween)) {
            for (int i = 0; i < pushes; i++) {
                staleness.add(updatesBetween);
            }
        } else {
            dropped += pushes;
        }
    }

    StalenessHistogram staleness() {
        return staleness.histogram();
    }

    long dropped() {
        return dropped;
    }
}
