package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.Remembered;
import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.optimizer.Stepper;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Every so many rounds a rank steps against the mixed gradients of itself and its partners, in the
 * rounds between against its own (Tolstobrov, algorithm 2, read literally for periods above 1).
 * Every so manieth exchange may be a mean of all weights instead, after a step of its own.
 */
final class GradientGossip implements Synchronizer {

    private final int period;
    private final Stepper stepper;
    private final double stretch;
    private final Mixer mixer;
    private final MemorySegment mixed;
    private final MemorySegment weights;
    private final Optional<GlobalMean> mean;
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
            MemorySegment weights,
            Optional<GlobalMean> mean,
            Remembered remembered,
            Instruments instruments) {
        this.period = period;
        this.stepper = stepper;
        this.stretch = stretch;
        this.mixer = mixer;
        this.mixed = mixed;
        this.weights = weights;
        this.mean = mean;
        this.instruments = instruments;
        remembered.number(() -> rounds, it -> rounds = it);
    }

    @Override
    public void update(MemorySegment gradient, int samples) {
        rounds++;
        boolean agrees = rounds % period == 0;
        boolean averages = agrees && mean.filter(GlobalMean::isDue).isPresent();
        boolean mixes = agrees && !averages;
        scale.scale(gradient, (float) stretch, mixed);
        instruments.end(Phase.APPLY);
        if (mixes) {
            mixer.mix(mixed);
        }
        if (mixes || samples > 0) {
            instruments.stepped(stepper.step(mixed, 1));
            instruments.end(Phase.APPLY);
        }
        if (averages) {
            mean.orElseThrow().on(weights);
        }
    }

    @Override
    public int exchangesPerRound() {
        return 1;
    }
}
