package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.Remembered;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.optimizer.Stepper;
import java.lang.foreign.MemorySegment;

/*
 * Bulk-synchronous parallel SGD (ALGORITHMS section 1.2): w <- w - eta (sum b_i g_i) / (sum b_i),
 * where g_i is the mean gradient over the b_i samples of rank i. This is the gradient of the mean
 * loss over the union of the mini-batches, however unequal they are.
 */
/** Every round ends with one gradient for all. */
final class Bsp implements Synchronizer {

    private final Stepper stepper;
    private final Summation summation;
    private final Portions portions;
    private final Instruments instruments;
    private long round;

    Bsp(
            Stepper stepper,
            Summation summation,
            Portions portions,
            Remembered remembered,
            Instruments instruments) {
        this.stepper = stepper;
        this.summation = summation;
        this.portions = portions;
        this.instruments = instruments;
        remembered.number(() -> round, it -> round = it);
    }

    @Override
    public void update(MemorySegment gradient, int samples) {
        MemorySegment agreed = summation.of(gradient, portions.ofGradient(round++));
        instruments.stepped(stepper.step(agreed, 1));
        instruments.end(Phase.APPLY);
    }

    @Override
    public boolean agrees() {
        return true;
    }

    /** Gradients are summed up in a copy, and nobody steps before the sum is there. */
    @Override
    public boolean isRoundWhole() {
        return true;
    }

    @Override
    public boolean keepsReplicasEqual() {
        return true;
    }

    /** Two of low rank. */
    @Override
    public int exchangesPerRound() {
        return 2;
    }
}
