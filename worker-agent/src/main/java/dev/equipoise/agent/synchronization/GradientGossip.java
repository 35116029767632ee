package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.optimizer.Stepper;
import java.lang.foreign.MemorySegment;

/**
 * Every so many rounds a rank steps against the mixed gradients of itself and its partners, in the
 * rounds between against its own (Tolstobrov, algorithm 2, read literally for periods above 1).
 */
final class GradientGossip implements Synchronizer {

    private final int period;
    private final Stepper stepper;
    private final double stretch;
    private final Mixer mixer;
    private final MemorySegment mixed;
    private final Instruments instruments;
    private final FloatScale scale = FloatScale.fastest();
    private long rounds;

    /**
     * @param stretch of the gradients of this replica
     * @param mixed what it computes in, as long as the gradient
     */
    GradientGossip(
            int period,
            Stepper stepper,
            double stretch,
            Mixer mixer,
            MemorySegment mixed,
            Instruments instruments) {
        this.period = period;
        this.stepper = stepper;
        this.stretch = stretch;
        this.mixer = mixer;
        this.mixed = mixed;
        this.instruments = instruments;
    }

    @Override
    public void update(MemorySegment gradient, int samples) {
        rounds++;
        scale.scale(gradient, (float) stretch, mixed);
        instruments.end(Phase.APPLY);
        if (rounds % period == 0) {
            mixer.mix(mixed);
        }
        instruments.stepped(stepper.step(mixed, 1));
        instruments.end(Phase.APPLY);
    }

    @Override
    public int exchangesPerRound() {
        return 1;
    }
}
