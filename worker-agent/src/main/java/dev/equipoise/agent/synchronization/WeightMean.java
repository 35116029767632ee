package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import java.lang.foreign.MemorySegment;

/** Averages the weights of all replicas. */
record WeightMean(VectorAggregator aggregator, Instruments instruments) implements WeightAverager {

    @Override
    public void on(MemorySegment weights, double aggregationWeight, double gradientScale) {
        weights.copyFrom(aggregator.of(weights, aggregationWeight));
        instruments.end(Phase.APPLY);
    }
}
