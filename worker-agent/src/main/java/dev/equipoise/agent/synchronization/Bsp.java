package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.optimizer.Stepper;
import java.lang.foreign.MemorySegment;

/*
 * Bulk-synchronous parallel SGD (docs/algorithms.md, section 1.2): w <- w - eta (sum b_i g_i) /
 * (sum b_i), where g_i is the mean gradient over the b_i samples of rank i. This is the gradient of
 * the mean loss over the union of the mini-batches, however unequal they are.
 */
/** BSP: every round ends with one mean gradient that all replicas apply. */
final class Bsp implements Synchronizer {

    private final Stepper stepper;
    private final VectorAggregator aggregator;
    private final AggregationWeights aggregationWeights;
    private final Instruments instruments;
    private long round;

    Bsp(
            Stepper stepper,
            VectorAggregator aggregator,
            AggregationWeights aggregationWeights,
            RankStateRegistry registry,
            Instruments instruments) {
        this.stepper = stepper;
        this.aggregator = aggregator;
        this.aggregationWeights = aggregationWeights;
        this.instruments = instruments;
        registry.number(() -> round, it -> round = it);
    }

    @Override
    public void update(MemorySegment gradient, int samples) {
        long current = round++;
        if (aggregationWeights.areEmpty(current, current + 1)) {
            return; // No rank has a gradient, and all ranks know it.
        }
        MemorySegment mean = aggregator.of(gradient, aggregationWeights.ofGradient(current));
        instruments.stepped(stepper.stepAt(current, mean, 1));
        instruments.end(Phase.APPLY);
    }

    @Override
    public boolean agrees() {
        return true;
    }

    /** Gradients are summed in a copy, and no replica steps before the sum is complete. */
    @Override
    public boolean isRoundWhole() {
        return true;
    }

    @Override
    public boolean keepsReplicasEqual() {
        return true;
    }

    /** PowerSGD makes two all-reduces. */
    @Override
    public int exchangesPerRound() {
        return 2;
    }
}
