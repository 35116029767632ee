package dev.equipoise.agent.optimizer;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.protocol.Clipping;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/*
 * Kingma and Ba 2015, Adam: a method for stochastic optimization, algorithm 1, and Loshchilov and
 * Hutter 2019, Decoupled weight decay regularization, algorithm 2, which is the same with a weight
 * decay. As PyTorch does, the decay goes with the scheduled learning rate. At step t, from 1:
 *
 *   w <- w - learningRate weightDecay w
 *   m <- beta1 m + (1 - beta1) g
 *   v <- beta2 v + (1 - beta2) g^2
 *   w <- w - learningRate m / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + epsilon)
 *
 * The two corrections are the same for all parameters, and so leave the loop.
 */
/** Steps scaled for each parameter by the running means of its gradient and of its square. */
record Adam(
        LearningRate rate,
        double beta1,
        double beta2,
        double epsilon,
        double weightDecay,
        Clipping clipping)
        implements Optimizer {

    /** What is the same for all parameters in one step. */
    private record Factors(
            float beta1,
            float rest1,
            float beta2,
            float rest2,
            float rate,
            float root,
            float epsilon,
            float kept) {}

    @Override
    public OptimizerState initialState(int parameterCount, Arena arena) {
        return OptimizerState.zero(2, parameterCount, arena);
    }

    @Override
    public OptimizerState step(
            OptimizerState state, MemorySegment parameters, MemorySegment gradient) {
        int count = state.requireFits(2, parameters, gradient);
        Clip clip = Clip.of(clipping, gradient);
        MemorySegment means = state.vectors().getFirst();
        MemorySegment squares = state.vectors().getLast();
        descend(parameters, gradient, means, squares, count, clip, factors(state));
        return state.next();
    }

    /** By StrictMath: replicas on unlike machines must get the same bits. */
    private Factors factors(OptimizerState state) {
        double learningRate = rate.at(state);
        double correction1 = 1 - StrictMath.pow(beta1, (double) (state.steps() + 1));
        double correction2 = 1 - StrictMath.pow(beta2, (double) (state.steps() + 1));
        return new Factors(
                (float) beta1,
                (float) (1 - beta1),
                (float) beta2,
                (float) (1 - beta2),
                (float) (learningRate / correction1),
                (float) (1 / Math.sqrt(correction2)),
                (float) epsilon,
                (float) (1 - learningRate * weightDecay));
    }

    private static void descend(
            MemorySegment parameters,
            MemorySegment gradient,
            MemorySegment means,
            MemorySegment squares,
            int count,
            Clip clip,
            Factors by) {
        for (int i = 0; i < count; i++) {
            float element = clip.of(gradient.getAtIndex(JAVA_FLOAT, i));
            float mean = by.beta1 * means.getAtIndex(JAVA_FLOAT, i) + by.rest1 * element;
            float square =
                    by.beta2 * squares.getAtIndex(JAVA_FLOAT, i) + by.rest2 * element * element;
            means.setAtIndex(JAVA_FLOAT, i, mean);
            squares.setAtIndex(JAVA_FLOAT, i, square);
            float root = (float) Math.sqrt(square) * by.root + by.epsilon;
            float parameter = by.kept * parameters.getAtIndex(JAVA_FLOAT, i);
            parameters.setAtIndex(JAVA_FLOAT, i, parameter - by.rate * mean / root);
        }
    }
}
