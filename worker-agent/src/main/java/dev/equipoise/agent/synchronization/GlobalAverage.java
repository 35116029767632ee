package dev.equipoise.agent.synchronization;

import java.lang.foreign.MemorySegment;

/** Gossip of weights or updates with periodic global averaging. */
record GlobalAverage(WeightAverager gossip, GlobalMean mean) implements WeightAverager {

    @Override
    public void on(MemorySegment weights, double aggregationWeight, double gradientScale) {
        if (mean.isDue()) {
            mean.on(weights);
            gossip.restart(weights);
        } else {
            gossip.on(weights, aggregationWeight, gradientScale);
        }
    }

    @Override
    public void restart(MemorySegment weights) {
        gossip.restart(weights);
    }
}
