package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.optimizer.Scaling;
import dev.equipoise.agent.optimizer.Stepper;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Gossip of gradients: every {@code period} rounds a rank steps with the mixed gradients of itself
 * and its partners, otherwise with its own (Tolstobrov, algorithm 2, read literally for periods
 * above 1; docs/algorithms.md, section 1.4). A global mean of the weights, after a step of its own,
 * may replace an exchange.
 */
final class GradientGossip implements Synchronizer {

    private final int period;
    private final Stepper stepper;
    private final ReplicaWeight weight;
    private final Mixer mixer;
    private final MemorySegment mixed;
    private final MemorySegment weights;
    private final Optional<GlobalMean> mean;
    private final Instruments instruments;
    private final FloatScale scale = FloatScale.fastest();
    private long rounds;

    /**
     * @param weight weight of this replica in the mean of all
     * @param mixed memory as long as the gradient
     */
    GradientGossip(
            int period,
            Stepper stepper,
            ReplicaWeight weight,
            Mixer mixer,
            MemorySegment mixed,
            MemorySegment weights,
            Optional<GlobalMean> mean,
            RankStateRegistry registry,
            Instruments instruments) {
        this.period = period;
        this.stepper = stepper;
        this.weight = weight;
        this.mixer = mixer;
        this.mixed = mixed;
        this.weights = weights;
        this.mean = mean;
        this.instruments = instruments;
        registry.number(() -> rounds, it -> rounds = it);
    }

    @Override
    public void update(MemorySegment gradient, int samples) {
        rounds++;
        if (weight.isEmpty(rounds - 1)) {
            return;
        }
        boolean exchanges = rounds % period == 0;
        boolean averages = exchanges && mean.filter(GlobalMean::isDue).isPresent();
        boolean mixes = exchanges && !averages;
        double stretch = weight.stretch(rounds - 1);
        PlainSum.scaled(scale, gradient, stretch, mixed);
        instruments.end(Phase.APPLY);
        if (mixes) {
            mixer.mix(mixed, stretch);
            instruments.stepped(stepper.stepAt(rounds - 1, mixed, 1));
        } else if (samples > 0) {
            instruments.stepped(stepper.stepAt(rounds - 1, mixed, 1, Scaling.ofGradient(stretch)));
        }
        instruments.end(Phase.APPLY);
        if (averages) {
            mean.orElseThrow().on(weights);
        }
    }

    @Override
    public double weightInMean(int replicas) {
        return weight.inMean(rounds, rounds);
    }

    @Override
    public int exchangesPerRound() {
        return 1;
    }
}
