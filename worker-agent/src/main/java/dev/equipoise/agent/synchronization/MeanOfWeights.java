package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import java.lang.foreign.MemorySegment;

/** All replicas end with the mean. */
record MeanOfWeights(Summation summation, Instruments instruments) implements Agreement {

    @Override
    public void on(MemorySegment weights, double portion) {
        weights.copyFrom(summation.of(weights, portion));
        instruments.end(Phase.APPLY);
    }
}
