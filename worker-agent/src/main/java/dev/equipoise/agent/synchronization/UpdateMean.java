package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.FloatSum;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import java.lang.foreign.MemorySegment;

/**
 * Averages weights by sending their change since the last mean. Changes are small where weights are
 * not, and so tolerate a lossy codec; a loss affects all replicas alike.
 */
final class UpdateMean implements WeightAverager {

    private final VectorAggregator aggregator;
    private final Instruments instruments;
    private final Anchor anchor;
    private final FloatSum sum = FloatSum.fastest();

    UpdateMean(VectorAggregator aggregator, Instruments instruments, Anchor anchor) {
        this.aggregator = aggregator;
        this.instruments = instruments;
        this.anchor = anchor;
    }

    @Override
    public void on(MemorySegment weights, double aggregationWeight, double gradientScale) {
        MemorySegment change =
                aggregator.of(anchor.updateTo(weights), aggregationWeight, gradientScale);
        sum.add(anchor.weights(), 0, change, 0, change.byteSize());
        weights.copyFrom(anchor.weights());
        instruments.end(Phase.APPLY);
    }

    @Override
    public void restart(MemorySegment weights) {
        anchor.moveTo(weights);
    }
}
