package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.FloatSum;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import java.lang.foreign.MemorySegment;

/*
 * docs/algorithms.md, section 1.4, UPDATE_ACC: w = a + K (w - a), then a = w. With a plain step and
 * an exchange in each round this is Tolstobrov's algorithm 2, with a codec his algorithm 3.
 */
/**
 * Gossip of updates since the last exchange. It moves the mean of all replicas, but does not bring
 * diverged replicas together.
 */
final class UpdateGossip implements WeightAverager {

    private final Mixer mixer;
    private final Instruments instruments;
    private final Anchor anchor;
    private final FloatSum sum = FloatSum.fastest();

    UpdateGossip(Mixer mixer, Instruments instruments, Anchor anchor) {
        this.mixer = mixer;
        this.instruments = instruments;
        this.anchor = anchor;
    }

    @Override
    public void on(MemorySegment weights, double aggregationWeight, double gradientScale) {
        MemorySegment update = anchor.updateTo(weights);
        instruments.end(Phase.APPLY);
        mixer.mix(update, gradientScale);
        sum.add(anchor.weights(), 0, update, 0, update.byteSize());
        weights.copyFrom(anchor.weights());
        instruments.end(Phase.APPLY);
    }

    @Override
    public void restart(MemorySegment weights) {
        anchor.moveTo(weights);
    }
}
