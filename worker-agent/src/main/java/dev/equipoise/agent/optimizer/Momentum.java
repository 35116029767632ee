package dev.equipoise.agent.optimizer;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.protocol.Clipping;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/*
 * Polyak 1964, Some methods of speeding up the convergence of iteration methods, equation 9, and the
 * form that Sutskever, Martens, Dahl and Hinton 2013, On the importance of initialization and
 * momentum in deep learning, section 2, give to Nesterov's. As PyTorch writes them, the learning
 * rate stands outside the velocity, so that a schedule takes hold at once:
 *
 *   v <- momentum v + g
 *   w <- w - learningRate v                    or, after Nesterov,
 *   w <- w - learningRate (g + momentum v)
 */
/** Stochastic gradient descent that remembers its velocity. */
record Momentum(LearningRate rate, float momentum, boolean nesterov, Clipping clipping)
        implements Optimizer {

    @Override
    public OptimizerState initialState(int parameterCount, Arena arena) {
        return OptimizerState.zero(1, parameterCount, arena);
    }

    @Override
    public OptimizerState step(
            OptimizerState state, MemorySegment parameters, MemorySegment gradient) {
        int count = state.requireFits(1, parameters, gradient);
        Clip clip = Clip.of(clipping, gradient);
        descend(parameters, gradient, state.vectors().getFirst(), count, clip, rate.at(state));
        return state.next();
    }

    private void descend(
            MemorySegment parameters,
            MemorySegment gradient,
            MemorySegment velocities,
            int count,
            Clip clip,
            double learningRate) {
        float rate = (float) learningRate;
        for (int i = 0; i < count; i++) {
            float element = clip.of(gradient.getAtIndex(JAVA_FLOAT, i));
            float velocity = momentum * velocities.getAtIndex(JAVA_FLOAT, i) + element;
            velocities.setAtIndex(JAVA_FLOAT, i, velocity);
            float direction = nesterov ? element + momentum * velocity : velocity;
            float parameter = parameters.getAtIndex(JAVA_FLOAT, i);
            parameters.setAtIndex(JAVA_FLOAT, i, parameter - rate * direction);
        }
    }
}
