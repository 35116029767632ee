package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.FloatSum;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import java.lang.foreign.MemorySegment;

/*
 * ALGORITHMS section 1.4, UPDATE_ACC: w = a + K (w - a), then a = w. For a plain step each round and
 * an exchange each round this is Tolstobrov's algorithm 2, with a codec his algorithm 3.
 */
/**
 * Partners mix how far they have gone; that moves all alike in the mean, but does not draw them
 * together.
 */
final class UpdateGossip implements Agreement {

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
    public void on(MemorySegment weights, double portion) {
        MemorySegment update = anchor.updateTo(weights);
        instruments.end(Phase.APPLY);
        mixer.mix(update);
        sum.add(anchor.weights(), 0, update, 0, update.byteSize());
        weights.copyFrom(anchor.weights());
        instruments.end(Phase.APPLY);
    }

    @Override
    public void restart(MemorySegment weights) {
        anchor.moveTo(weights);
    }
}
