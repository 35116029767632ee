package dev.equipoise.agent.optimizer;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.protocol.Clipping;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** w <- w - learningRate g: stochastic gradient descent, which remembers nothing but the time. */
record Sgd(LearningRate rate, Clipping clipping) implements Optimizer {

    @Override
    public OptimizerState initialState(int parameterCount, Arena arena) {
        return OptimizerState.zero(0, parameterCount, arena);
    }

    @Override
    public OptimizerState step(
            OptimizerState state, MemorySegment parameters, MemorySegment gradient) {
        int count = state.requireFits(0, parameters, gradient);
        descend(parameters, gradient, count, Clip.of(clipping, gradient), (float) rate.at(state));
        return state.next();
    }

    private static void descend(
            MemorySegment parameters, MemorySegment gradient, int count, Clip clip, float rate) {
        for (int i = 0; i < count; i++) {
            float element = clip.of(gradient.getAtIndex(JAVA_FLOAT, i));
            float parameter = parameters.getAtIndex(JAVA_FLOAT, i);
            parameters.setAtIndex(JAVA_FLOAT, i, parameter - rate * element);
        }
    }
}
