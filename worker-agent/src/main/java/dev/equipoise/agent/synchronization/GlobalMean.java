package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.Remembered;
import java.lang.foreign.MemorySegment;

/**
 * A mean over all replicas in place of every so manieth exchange of a gossip (Chen and others 2021,
 * Accelerating gossip SGD with periodic global averaging, arXiv 2105.09080).
 */
final class GlobalMean {

    private final Agreement mean;
    private final double portion;
    private final int every;
    private long exchanges;

    /**
     * @param portion how much this rank counts, of 1 in all: as in the long run of the gossip
     * @param every exchanges from one mean to the next
     */
    GlobalMean(Agreement mean, double portion, int every, Remembered remembered) {
        this.mean = mean;
        this.portion = portion;
        this.every = every;
        remembered.number(() -> exchanges, it -> exchanges = it);
    }

    /** Whether the exchange that comes now is a mean instead; asked once for each. */
    boolean isDue() {
        exchanges++;
        return exchanges % every == 0;
    }

    /** Overwrites the weights by the mean. */
    void on(MemorySegment weights) {
        mean.on(weights, portion);
    }
}
