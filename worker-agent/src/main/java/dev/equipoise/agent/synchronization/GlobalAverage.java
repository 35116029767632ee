package dev.equipoise.agent.synchronization;

import java.lang.foreign.MemorySegment;

/**
 * Gossip, of which every so manieth exchange is a mean over all replicas instead (Chen and others
 * 2021, Accelerating gossip SGD with periodic global averaging, arXiv 2105.09080).
 */
final class GlobalAverage implements Agreement {

    private final Agreement gossip;
    private final Agreement mean;
    private final double portion;
    private final int every;
    private long exchanges;

    /**
     * @param portion how much this rank counts in the mean, of 1 in all: as in the long run of the
     *     gossip
     */
    GlobalAverage(Agreement gossip, Agreement mean, double portion, int every) {
        this.gossip = gossip;
        this.mean = mean;
        this.portion = portion;
        this.every = every;
    }

    @Override
    public void on(MemorySegment weights, double portionOfRounds) {
        exchanges++;
        if (exchanges % every == 0) {
            mean.on(weights, portion);
            gossip.restart(weights);
        } else {
            gossip.on(weights, portionOfRounds);
        }
    }

    @Override
    public void restart(MemorySegment weights) {
        gossip.restart(weights);
    }
}
