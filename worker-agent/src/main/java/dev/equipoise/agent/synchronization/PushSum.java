package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.gossip.MixingRow;
import dev.equipoise.agent.gossip.NeighborExchange;
import dev.equipoise.agent.gossip.PushSumVector;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.instrument.TrafficKind;
import dev.equipoise.agent.optimizer.Scaling;
import dev.equipoise.agent.optimizer.Stepper;
import java.lang.foreign.MemorySegment;

/**
 * Stochastic gradient push (Assran and others 2019, arXiv 1811.10792, algorithm 1;
 * docs/algorithms.md, section 2.4): gradients are computed at z = x / omega, steps change x, and x
 * is mixed together with its mass omega.
 */
final class PushSum implements Synchronizer {

    private final int period;
    private final MemorySegment weights;
    private final PushSumVector vector;
    private final Stepper stepper;
    private final ReplicaWeight weight;
    private final NeighborExchange neighbors;
    private final int rank;
    private final Instruments instruments;
    private long rounds;
    private long exchange;

    /**
     * @param vector initialized with the weights and the mass 1
     * @param stepper steps the weighted vector
     * @param weight weight of this replica in the mean of all
     */
    PushSum(
            int period,
            MemorySegment weights,
            PushSumVector vector,
            Stepper stepper,
            ReplicaWeight weight,
            NeighborExchange neighbors,
            int rank,
            RankStateRegistry registry,
            Instruments instruments) {
        this.period = period;
        this.weights = weights;
        this.vector = vector;
        this.stepper = stepper;
        this.weight = weight;
        this.neighbors = neighbors;
        this.rank = rank;
        this.instruments = instruments;
        registry.vector(vector.all());
        registry.number(() -> rounds, it -> rounds = it);
        registry.number(() -> exchange, it -> exchange = it);
    }

    @Override
    public void update(MemorySegment gradient, int samples) {
        rounds++;
        if (samples > 0) {
            instruments.stepped(
                    stepper.stepAt(
                            rounds - 1,
                            gradient,
                            weight.stretch(rounds - 1),
                            Scaling.ofWeights(vector.mass())));
        }
        instruments.end(Phase.APPLY);
        if (rounds % period == 0) {
            MixingRow mixingRow = vector.mix(neighbors, exchange);
            instruments.endExchange(TrafficKind.WEIGHTS, mixingRow.participants(rank));
            exchange++;
        }
        vector.estimate(weights);
        instruments.end(Phase.APPLY);
    }

    @Override
    public int exchangesPerRound() {
        return 1;
    }
}
