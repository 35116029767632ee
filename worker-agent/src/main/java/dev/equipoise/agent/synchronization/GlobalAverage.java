package dev.equipoise.agent.synchronization;

import java.lang.foreign.MemorySegment;

/**
 * Gossip, of which every so manieth exchange is a mean over all replicas instead (Chen and others
 * 2021, Accelerating gossip SGD with periodic global averaging, arXiv 2105.09080).
 */
final class GlobalAverage implements Agreement {

    private final Agreement gossip;
    private final Agreement mean;
    private final int every;
    private long exchanges;

    GlobalAverage(Agreement gossip, Agreement mean, int every) {
        this.gossip = gossip;
        this.mean = mean;
        this.every = every;
    }

    @Override
    public void on(MemorySegment weights, double portion) {
        exchanges++;
        if (exchanges % every == 0) {
            mean.on(weights, portion);
            gossip.restart(weights);
        } else {
            gossip.on(weights, portion);
        }
    }

    @Override
    public void restart(MemorySegment weights) {
        gossip.restart(weights);
    }
}
