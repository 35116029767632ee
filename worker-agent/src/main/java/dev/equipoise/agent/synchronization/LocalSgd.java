package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.Remembered;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.optimizer.Stepper;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Synchronization.Order;
import java.lang.foreign.MemorySegment;

/** Every replica steps by itself, and agrees with others every so many rounds (ALGORITHMS 1.3). */
final class LocalSgd implements Synchronizer {

    private final Synchronization.LocalSgd settings;
    private final MemorySegment weights;
    private final Stepper stepper;
    private final double stretch;
    private final Agreement agreement;
    private final Agreement memories;
    private final Portions portions;
    private final Instruments instruments;
    private long rounds;
    private long agreedBefore;

    /**
     * @param stretch of the steps of this replica
     * @param memories what brings the optimizers' memories together, where they are averaged
     */
    LocalSgd(
            Synchronization.LocalSgd settings,
            MemorySegment weights,
            Stepper stepper,
            double stretch,
            Agreement agreement,
            Agreement memories,
            Portions portions,
            Remembered remembered,
            Instruments instruments) {
        this.settings = settings;
        this.weights = weights;
        this.stepper = stepper;
        this.stretch = stretch;
        this.agreement = agreement;
        this.memories = memories;
        this.portions = portions;
        this.instruments = instruments;
        remembered.number(() -> rounds, it -> rounds = it);
        remembered.number(() -> agreedBefore, it -> agreedBefore = it);
    }

    @Override
    public void update(MemorySegment gradient, int samples) {
        rounds++;
        boolean agrees = rounds % settings.period() == 0;
        if (agrees && settings.order() == Order.AVERAGE_THEN_STEP) {
            agree(rounds - 1);
        }
        if (samples > 0) {
            instruments.stepped(stepper.step(gradient, stretch));
            instruments.end(Phase.APPLY);
        }
        if (agrees && settings.order() == Order.STEP_THEN_AVERAGE) {
            agree(rounds);
        }
    }

    /** The weights have come of the rounds before this one. */
    private void agree(long round) {
        double portion = portions.ofWeights(agreedBefore, round);
        agreement.on(weights, portion);
        if (settings.momentum() == Momentum.AVERAGE) {
            stepper.memories().forEach(memory -> memories.on(memory, portion));
        } else if (settings.momentum() == Momentum.RESET) {
            stepper.forget();
        }
        agreedBefore = round;
    }

    /** Who averages before it steps differs after each round. */
    @Override
    public boolean agrees() {
        return settings.order() == Order.STEP_THEN_AVERAGE && agreedBefore == rounds;
    }

    /** Weights, and two memories at most. */
    @Override
    public int exchangesPerRound() {
        return 3;
    }
}
