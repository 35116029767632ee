package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.optimizer.Stepper;
import java.lang.foreign.MemorySegment;

/*
 * Douillard and others 2023, DiLoCo, arXiv 2311.08105, algorithm 1 (docs/algorithms.md, section
 * 1.5): after H inner steps the mean of w_old - w_i is the gradient of an outer step. With an outer
 * rate of 1 and no outer momentum this is Local SGD with the order step-then-average.
 */
/**
 * DiLoCo: every {@code period} rounds, averages the pseudogradients and applies the outer
 * optimizer.
 */
final class DiLoCo implements Synchronizer {

    private final int period;
    private final MemorySegment weights;
    private final Stepper inner;
    private final Stepper outer;
    private final Anchor anchor;
    private final VectorAggregator aggregator;
    private final AggregationWeights aggregationWeights;
    private final Instruments instruments;
    private final FloatScale scale = FloatScale.fastest();
    private long rounds;

    /**
     * @param outer optimizer of the anchor's weights
     */
    DiLoCo(
            int period,
            MemorySegment weights,
            Stepper inner,
            Stepper outer,
            Anchor anchor,
            VectorAggregator aggregator,
            AggregationWeights aggregationWeights,
            RankStateRegistry registry,
            Instruments instruments) {
        this.period = period;
        this.weights = weights;
        this.inner = inner;
        this.outer = outer;
        this.anchor = anchor;
        this.aggregator = aggregator;
        this.aggregationWeights = aggregationWeights;
        this.instruments = instruments;
        registry.number(() -> rounds, it -> rounds = it);
    }

    @Override
    public void update(MemorySegment gradient, int samples) {
        rounds++;
        if (samples > 0) {
            instruments.stepped(inner.stepAt(rounds - 1, gradient, 1));
            instruments.end(Phase.APPLY);
        }
        if (rounds % period == 0 && !aggregationWeights.areEmpty(rounds - period, rounds)) {
            stepOuter();
        }
    }

    private void stepOuter() {
        double aggregationWeight = aggregationWeights.ofWeights(rounds - period, rounds);
        MemorySegment pseudogradient =
                aggregator.of(anchor.updateTo(weights), aggregationWeight, rates());
        scale.scale(pseudogradient, -1, pseudogradient);
        outer.step(pseudogradient, 1);
        weights.copyFrom(anchor.weights());
        instruments.end(Phase.APPLY);
    }

    /** Returns the sum of the learning rates of this replica's steps since the last outer step. */
    private double rates() {
        double sum = 0;
        for (long round = rounds - period; round < rounds; round++) {
            sum += aggregationWeights.hasSamples(round) ? inner.rate(round) : 0;
        }
        return sum;
    }

    @Override
    public double weightInMean(int replicas) {
        return aggregationWeights.ofWeights(rounds - rounds % period, rounds);
    }

    /** PowerSGD makes two all-reduces. */
    @Override
    public int exchangesPerRound() {
        return 2;
    }
}
