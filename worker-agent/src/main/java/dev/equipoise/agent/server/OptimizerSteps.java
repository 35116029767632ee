package dev.equipoise.agent.server;

import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.optimizer.Optimizer;
import dev.equipoise.agent.optimizer.OptimizerState;
import dev.equipoise.protocol.StalenessCorrection;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Applies an optimizer to each shard separately: the learning rate schedule counts the steps of the
 * shard, and clipping by norm uses the norm of the shard.
 */
public final class OptimizerSteps implements Update {

    private final Optimizer optimizer;
    private final StalenessCorrection correction;
    private final Map<Integer, OptimizerState> states = new TreeMap<>();
    private LearningRates rates = LearningRates.NONE;

    /**
     * Allocates memory for the optimizer state.
     *
     * @param optimizer not shared, since it steps on one thread at a time
     * @param shards of the server
     * @param memory must outlive the instance
     */
    public OptimizerSteps(
            Optimizer optimizer, StalenessCorrection correction, List<Shard> shards, Arena memory) {
        this.optimizer = optimizer;
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

    @Override
    public boolean apply(
            Shard shard, MemorySegment weights, MemorySegment gradient, long staleness) {
        if (correction.drops(staleness)) {
            return false;
        }
        double factor = correction.factor(staleness);
        OptimizerState state = state(shard.index());
        rates = rates.plus(factor * optimizer.learningRate(state));
        states.put(shard.index(), optimizer.step(state, weights, gradient, factor));
        return true;
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
