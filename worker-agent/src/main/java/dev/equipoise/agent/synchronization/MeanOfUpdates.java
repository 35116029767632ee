package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.FloatSum;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import java.lang.foreign.MemorySegment;

/**
 * All replicas end with the mean, of which only the change since the last time travels: it is small
 * where weights are not, and so bears a lossy codec. What one has lost is lost to all alike.
 */
final class MeanOfUpdates implements Agreement {

    private final Summation summation;
    private final Instruments instruments;
    private final Anchor anchor;
    private final FloatSum sum = FloatSum.fastest();

    MeanOfUpdates(Summation summation, Instruments instruments, Anchor anchor) {
        this.summation = summation;
        this.instruments = instruments;
        this.anchor = anchor;
    }

    @Override
    public void on(MemorySegment weights, double portion) {
        MemorySegment change = summation.of(anchor.updateTo(weights), portion);
        sum.add(anchor.weights(), 0, change, 0, change.byteSize());
        weights.copyFrom(anchor.weights());
        instruments.end(Phase.APPLY);
    }

    @Override
    public void restart(MemorySegment weights) {
        anchor.moveTo(weights);
    }
}
