package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.optimizer.Stepper;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Synchronization.Order;
import java.lang.foreign.MemorySegment;

/**
 * Local SGD: every replica steps alone, and averages its weights with others every {@code period}
 * rounds (docs/algorithms.md, section 1.3).
 */
final class LocalSgd implements Synchronizer {

    private final Synchronization.LocalSgd settings;
    private final MemorySegment weights;
    private final Stepper stepper;
    private final ReplicaWeight weight;
    private final WeightAverager averager;
    private final WeightAverager stateAverager;
    private final AggregationWeights aggregationWeights;
    private final Instruments instruments;
    private long rounds;
    private long lastAverage;

    /**
     * @param weight weight of this replica in the mean of all
     * @param stateAverager averages the optimizers' state if the plan asks for it
     */
    LocalSgd(
            Synchronization.LocalSgd settings,
            MemorySegment weights,
            Stepper stepper,
            ReplicaWeight weight,
            WeightAverager averager,
            WeightAverager stateAverager,
            AggregationWeights aggregationWeights,
            RankStateRegistry registry,
            Instruments instruments) {
        this.settings = settings;
        this.weights = weights;
        this.stepper = stepper;
        this.weight = weight;
        this.averager = averager;
        this.stateAverager = stateAverager;
        this.aggregationWeights = aggregationWeights;
        this.instruments = instruments;
        registry.number(() -> rounds, it -> rounds = it);
        registry.number(() -> lastAverage, it -> lastAverage = it);
    }

    @Override
    public void update(MemorySegment gradient, int samples) {
        rounds++;
        boolean isDue = rounds % settings.period() == 0;
        if (isDue && settings.order() == Order.AVERAGE_THEN_STEP) {
            average(rounds - 1);
        }
        if (samples > 0) {
            instruments.stepped(stepper.stepAt(rounds - 1, gradient, weight.stretch(rounds - 1)));
            instruments.end(Phase.APPLY);
        }
        if (isDue && settings.order() == Order.STEP_THEN_AVERAGE) {
            average(rounds);
        }
    }

    /** Averages weights that result from the rounds before this one. */
    private void average(long round) {
        double aggregationWeight = aggregationWeights.ofWeights(lastAverage, round);
        averager.on(weights, aggregationWeight, rates(round));
        if (settings.momentum() == Momentum.AVERAGE) {
            stepper.memories().forEach(vector -> stateAverager.on(vector, aggregationWeight));
        } else if (settings.momentum() == Momentum.RESET) {
            stepper.forget();
        }
        lastAverage = round;
    }

    /** Returns the sum of the learning rates of this replica's steps since the last average. */
    private double rates(long to) {
        double sum = 0;
        for (long round = lastAverage; round < to; round++) {
            sum +=
                    aggregationWeights.hasSamples(round)
                            ? weight.stretch(round) * stepper.rate(round)
                            : 0;
        }
        return sum;
    }

    @Override
    public double weightInMean(int replicas) {
        return weight.inMean(lastAverage, rounds);
    }

    /** With the order average-then-step, replicas differ after each round. */
    @Override
    public boolean agrees() {
        return settings.order() == Order.STEP_THEN_AVERAGE && lastAverage == rounds;
    }

    /** Weights, and at most two vectors of optimizer state. */
    @Override
    public int exchangesPerRound() {
        return 3;
    }
}
