package dev.equipoise.agent.server;

import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.optimizer.Optimizer;
import dev.equipoise.agent.optimizer.OptimizerState;
import dev.equipoise.agent.optimizer.Scaling;
import dev.equipoise.agent.optimizer.SchedulePosition;
import dev.equipoise.protocol.StalenessCorrection;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Applies an optimizer to each shard separately. The learning rate schedule follows the samples of
 * all replicas whose gradients have arrived at the shard, and clipping by norm uses the norm of the
 * shard.
 */
public final class OptimizerSteps implements Update {

    private final Optimizer optimizer;
    private final StalenessCorrection correction;
    private final Map<Integer, OptimizerState> states = new TreeMap<>();
    private final SchedulePosition position;

    /** Samples of the epoch that have arrived, by shard. */
    private final Map<Integer, Long> samples = new HashMap<>();

    private LearningRates rates = LearningRates.NONE;
    private int epoch = 1;
    private BatchSizes batchSizes = (_, _) -> 0;

    /** Sizes of the mini-batches of an epoch, in samples. */
    @FunctionalInterface
    public interface BatchSizes {

        /**
         * Returns the number of samples of a replica in a round.
         *
         * @param round of the epoch, from 0
         */
        int of(int rank, int round);
    }

    /**
     * Allocates memory for the optimizer state.
     *
     * @param optimizer not shared, since it steps on one thread at a time
     * @param position of samples in the learning rate schedule
     * @param shards of the server
     * @param memory must outlive the instance
     */
    public OptimizerSteps(
            Optimizer optimizer,
            SchedulePosition position,
            StalenessCorrection correction,
            List<Shard> shards,
            Arena memory) {
        this.optimizer = optimizer;
        this.position = position;
        this.correction = correction;
        for (Shard shard : shards) {
            int elements = Math.toIntExact(shard.elements());
            states.put(shard.index(), optimizer.initialState(elements, memory));
        }
    }

    /** Registers the optimizer state of each shard, so that a run can continue from it. */
    public void register(RankStateRegistry registry) {
        states.forEach((shard, state) -> {
            state.vectors().forEach(registry::vector);
            registry.number(
                    () -> state(shard).steps(),
                    steps -> states.put(shard, state(shard).after(steps)));
        });
    }

    /**
     * Begins an epoch, of which no sample has arrived.
     *
     * @param number of the epoch, from 1
     */
    public void begin(int number, BatchSizes sizes) {
        epoch = number;
        batchSizes = sizes;
        samples.clear();
    }

    @Override
    public boolean apply(
            Shard shard, MemorySegment weights, MemorySegment gradient, Arrival arrival) {
        long before = samples(shard);
        long count = batchSizes.of(arrival.replica(), arrival.round());
        samples.put(shard.index(), before + count);
        if (correction.drops(arrival.staleness())) {
            return false;
        }
        double rate =
                correction.factor(arrival.staleness())
                        * optimizer.learningRate(position.step(epoch, before));
        rates = rates.plus(rate);
        states.put(
                shard.index(),
                optimizer.stepAtRate(state(shard.index()), weights, gradient, rate, Scaling.NONE));
        return true;
    }

    @Override
    public long samples(Shard shard) {
        return samples.getOrDefault(shard.index(), 0L);
    }

    /** The learning rates of all steps so far; call only between calls of serve. */
    public LearningRates learningRates() {
        return rates;
    }

    /** The optimizer state of a shard, to be copied or read; call only between calls of serve. */
    public OptimizerState state(int shard) {
        OptimizerState state = states.get(shard);
        if (state == null) {
            throw new IllegalArgumentException(
                    "the shard must be one of %s, but was %d".formatted(states.keySet(), shard));
        }
        return state;
    }
}
