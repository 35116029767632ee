package dev.equipoise.agent.optimizer;

import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.OptimizerSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Steps a flat vector of parameters, in place, against a flat gradient; both native float32. What
 * it remembers between steps is in the state that it is handed; its own memory is for the time of a
 * step, so that only one thread steps at a time.
 */
public final class Optimizer {

    private final Rule rule;
    private final LearningRate rate;
    private final Clipping clipping;
    private final Block block;
    private final Norm norm = new Norm();

    private Optimizer(Rule rule, LearningRate rate, Clipping clipping) {
        this.rule = rule;
        this.rate = rate;
        this.clipping = clipping;
        this.block = new Block(rule.vectors());
    }

    /** The optimizer for a run of so many steps. */
    public static Optimizer of(OptimizerSpec spec, int stepsPerEpoch, int epochs) {
        return new Optimizer(
                Rule.of(spec),
                new LearningRate(spec.learningRate(), spec.schedule(), stepsPerEpoch, epochs),
                spec.clipping());
    }

    /** The state before the first step; its vectors live as long as the arena. */
    public OptimizerState initialState(int parameterCount, Arena arena) {
        return OptimizerState.zero(rule.vectors(), parameterCount, arena);
    }

    /**
     * Overwrites the parameters and the vectors of the state, and leaves the gradient as it is.
     *
     * @return the state for the next step; the given one is used up
     * @throws IllegalArgumentException if the vectors differ in length, or the state is another
     *     optimizer's
     */
    public OptimizerState step(
            OptimizerState state, MemorySegment parameters, MemorySegment gradient) {
        int count = state.requireFits(rule.vectors(), parameters, gradient);
        Clip clip = Clip.of(clipping, gradient, norm);
        Rule.Update update = rule.update(state.steps() + 1, rate.at(state.steps()));
        for (int from = 0; from < count; from += Block.LARGEST) {
            block.load(from, Math.min(Block.LARGEST, count - from), parameters, gradient, state);
            clip.apply(block.gradient(), block.length());
            update.apply(block);
            block.store(parameters, state);
        }
        return state.next();
    }
}
