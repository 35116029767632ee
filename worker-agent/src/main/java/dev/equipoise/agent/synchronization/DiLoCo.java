package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.Remembered;
import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.optimizer.Stepper;
import java.lang.foreign.MemorySegment;

/*
 * Douillard and others 2023, DiLoCo, arXiv 2311.08105, algorithm 1: after H inner steps the mean of
 * w_old - w_i is the gradient of an outer step. With an outer rate of 1 and no outer momentum this is
 * Local-SGD that steps and then averages.
 */
/** Every so many rounds, the mean of how far all have gone is a gradient for an outer optimizer. */
final class DiLoCo implements Synchronizer {

    private final int period;
    private final MemorySegment weights;
    private final Stepper inner;
    private final Stepper outer;
    private final Anchor anchor;
    private final Summation summation;
    private final Portions portions;
    private final Instruments instruments;
    private final FloatScale scale = FloatScale.fastest();
    private long rounds;

    /**
     * @param outer steps the anchor's weights
     */
    DiLoCo(
            int period,
            MemorySegment weights,
            Stepper inner,
            Stepper outer,
            Anchor anchor,
            Summation summation,
            Portions portions,
            Remembered remembered,
            Instruments instruments) {
        this.period = period;
        this.weights = weights;
        this.inner = inner;
        this.outer = outer;
        this.anchor = anchor;
        this.summation = summation;
        this.portions = portions;
        this.instruments = instruments;
        remembered.number(() -> rounds, it -> rounds = it);
    }

    @Override
    public void update(MemorySegment gradient, int samples) {
        rounds++;
        if (samples > 0) {
            instruments.stepped(inner.step(gradient, 1));
            instruments.end(Phase.APPLY);
        }
        if (rounds % period == 0) {
            stepOutside();
        }
    }

    private void stepOutside() {
        double portion = portions.ofWeights(rounds - period, rounds);
        MemorySegment gone = summation.of(anchor.updateTo(weights), portion);
        scale.scale(gone, -1, gone);
        outer.step(gone, 1);
        weights.copyFrom(anchor.weights());
        instruments.end(Phase.APPLY);
    }

    /** Two of low rank. */
    @Override
    public int exchangesPerRound() {
        return 2;
    }
}
