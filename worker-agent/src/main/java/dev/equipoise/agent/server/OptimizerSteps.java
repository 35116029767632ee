package dev.equipoise.agent.server;

import dev.equipoise.agent.checkpoint.Remembered;
import dev.equipoise.agent.optimizer.Optimizer;
import dev.equipoise.agent.optimizer.OptimizerState;
import dev.equipoise.protocol.StalenessCorrection;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Steps each shard by itself: its learning rate follows the schedule by the steps of the shard, and
 * a gradient that is clipped by its norm is clipped by that of the shard.
 */
public final class OptimizerSteps implements Update {

    private final Optimizer optimizer;
    private final StalenessCorrection correction;
    private final Map<Integer, OptimizerState> states = new TreeMap<>();
    private LearningRates rates = LearningRates.NONE;

    /**
     * Sets memory aside for what the optimizer remembers.
     *
     * @param optimizer nobody else's, since it steps on one thread at a time
     * @param shards of the server
     * @param memory must outlive it
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

    /** Enters what is remembered of each shard, with which others may go on. */
    public void remembered(Remembered remembered) {
        states.forEach((shard, state) -> {
            state.vectors().forEach(remembered::vector);
            remembered.number(
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

    /** The rates of all steps so far; only between calls of serve. */
    public LearningRates learningRates() {
        return rates;
    }

    /** What is remembered of a shard, to be copied or read; only between calls of serve. */
    public OptimizerState state(int shard) {
        OptimizerState state = states.get(shard);
        if (state == null) {
            throw new IllegalArgumentException(
                    "the shard must be one of %s, but was %d".formatted(states.keySet(), shard));
        }
        return state;
    }
}
