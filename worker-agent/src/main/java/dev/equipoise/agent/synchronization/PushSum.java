package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.Remembered;
import dev.equipoise.agent.gossip.Mixture;
import dev.equipoise.agent.gossip.NeighbourExchange;
import dev.equipoise.agent.gossip.PushSumVector;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Kind;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.optimizer.Stepper;
import java.lang.foreign.MemorySegment;

/**
 * Stochastic gradient push (Assran and others 2019, arXiv 1811.10792, algorithm 1): gradients are
 * taken at z = x / omega, steps made on x, and x goes on with its mass omega.
 */
final class PushSum implements Synchronizer {

    private final int period;
    private final MemorySegment weights;
    private final PushSumVector vector;
    private final Stepper stepper;
    private final double stretch;
    private final NeighbourExchange neighbours;
    private final int rank;
    private final Instruments instruments;
    private long rounds;
    private long exchange;

    /**
     * @param vector begun with the weights and a mass of 1
     * @param stepper steps what the vector holds
     * @param stretch of the steps of this replica
     */
    PushSum(
            int period,
            MemorySegment weights,
            PushSumVector vector,
            Stepper stepper,
            double stretch,
            NeighbourExchange neighbours,
            int rank,
            Remembered remembered,
            Instruments instruments) {
        this.period = period;
        this.weights = weights;
        this.vector = vector;
        this.stepper = stepper;
        this.stretch = stretch;
        this.neighbours = neighbours;
        this.rank = rank;
        this.instruments = instruments;
        remembered.vector(vector.all());
        remembered.number(() -> rounds, it -> rounds = it);
        remembered.number(() -> exchange, it -> exchange = it);
    }

    @Override
    public void update(MemorySegment gradient, int samples) {
        rounds++;
        if (samples > 0) {
            instruments.stepped(stepper.step(gradient, stretch));
        }
        instruments.end(Phase.APPLY);
        if (rounds % period == 0) {
            Mixture mixture = vector.mix(neighbours, exchange);
            instruments.endExchange(Kind.WEIGHTS, mixture.participants(rank));
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
