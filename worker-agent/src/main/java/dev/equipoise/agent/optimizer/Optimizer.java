package dev.equipoise.agent.optimizer;

import dev.equipoise.protocol.OptimizerSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Steps a flat vector of parameters, in place, against a flat gradient; both native float32. What
 * it remembers between steps is in the state that it is handed.
 */
public sealed interface Optimizer permits Sgd, Momentum, Adam {

    /** The optimizer for a run of so many steps. */
    static Optimizer of(OptimizerSpec spec, int stepsPerEpoch, int epochs) {
        var rate = new LearningRate(spec.learningRate(), spec.schedule(), stepsPerEpoch, epochs);
        return switch (spec) {
            case OptimizerSpec.Sgd sgd when sgd.momentum() == 0 -> new Sgd(rate, sgd.clipping());
            case OptimizerSpec.Sgd sgd ->
                    new Momentum(rate, (float) sgd.momentum(), sgd.nesterov(), sgd.clipping());
            case OptimizerSpec.Adam adam ->
                    new Adam(rate, adam.beta1(), adam.beta2(), adam.epsilon(), 0, adam.clipping());
            case OptimizerSpec.AdamW adam ->
                    new Adam(
                            rate,
                            adam.beta1(),
                            adam.beta2(),
                            adam.epsilon(),
                            adam.weightDecay(),
                            adam.clipping());
        };
    }

    /** The state before the first step; its vectors live as long as the arena. */
    OptimizerState initialState(int parameterCount, Arena arena);

    /**
     * Overwrites the parameters and the vectors of the state, and leaves the gradient as it is.
     *
     * @return the state for the next step; the given one is used up
     * @throws IllegalArgumentException if the vectors differ in length, or the state is another
     *     optimizer's
     */
    OptimizerState step(OptimizerState state, MemorySegment parameters, MemorySegment gradient);
}
