package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.RankStateRegistry;
import java.lang.foreign.MemorySegment;

/**
 * Periodic global averaging: a mean over all replicas in place of every n-th gossip exchange (Chen
 * and others 2021, Accelerating gossip SGD with periodic global averaging, arXiv 2105.09080).
 */
final class GlobalMean {

    private final WeightAverager mean;
    private final double aggregationWeight;
    private final int period;
    private long exchanges;

    /**
     * @param aggregationWeight aggregation weight of this rank: that of the limit of the gossip
     * @param period number of exchanges from one mean to the next
     */
    GlobalMean(
            WeightAverager mean, double aggregationWeight, int period, RankStateRegistry registry) {
        this.mean = mean;
        this.aggregationWeight = aggregationWeight;
        this.period = period;
        registry.number(() -> exchanges, it -> exchanges = it);
    }

    /** Returns whether the next exchange is a mean; called once for each. */
    boolean isDue() {
        exchanges++;
        return exchanges % period == 0;
    }

    /** Replaces the weights with the mean. */
    void on(MemorySegment weights) {
        mean.on(weights, aggregationWeight);
    }
}
