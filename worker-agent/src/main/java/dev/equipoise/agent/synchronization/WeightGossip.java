package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import java.lang.foreign.MemorySegment;

/** Gossip of weights (D-PSGD): partners mix their weights, which brings all replicas together. */
record WeightGossip(Mixer mixer, Instruments instruments) implements WeightAverager {

    @Override
    public void on(MemorySegment weights, double aggregationWeight, double gradientScale) {
        mixer.mix(weights, gradientScale);
        instruments.end(Phase.APPLY);
    }
}
