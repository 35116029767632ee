package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import java.lang.foreign.MemorySegment;

/** Partners mix their weights, which draws all replicas together, exchange by exchange. */
record WeightGossip(Mixer mixer, Instruments instruments) implements Agreement {

    @Override
    public void on(MemorySegment weights, double portion) {
        mixer.mix(weights);
        instruments.end(Phase.APPLY);
    }
}
