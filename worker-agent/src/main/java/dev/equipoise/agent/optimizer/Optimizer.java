package dev.equipoise.agent.optimizer;

import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.OptimizerSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Steps a flat vector of parameters, in place, against a flat gradient; both native float32. What
 * it remembers between steps is in the state that it is handed; its own memory is for the time of a
 * step, so that only one thread steps at a time.
 */
public final class Optimizer {

    private final Rule rule;
    private final LearningRate rate;
    private final Clipping clipping;
    private final @Nullable Descent descent;
    private final Block block;
    private final Norm norm = new Norm();

    private Optimizer(Rule rule, LearningRate rate, Clipping clipping, @Nullable Descent descent) {
        this.rule = rule;
        this.rate = rate;
        this.clipping = clipping;
        this.descent = descent;
        this.block = new Block(rule.vectors());
    }

    /** The optimizer for a run of so many steps. */
    public static Optimizer of(OptimizerSpec spec, int stepsPerEpoch, int epochs) {
        return of(spec, stepsPerEpoch, epochs, Optional.empty());
    }

    /**
     * The optimizer for a run of so many steps.
     *
     * @param descent makes the steps that are plain: without memory, without clipping
     */
    public static Optimizer of(
            OptimizerSpec spec, int stepsPerEpoch, int epochs, Optional<Descent> descent) {
        Rule rule = Rule.of(spec);
        boolean plain = rule instanceof Sgd && spec.clipping() instanceof Clipping.None;
        return new Optimizer(
                rule,
                new LearningRate(spec.learningRate(), spec.schedule(), stepsPerEpoch, epochs),
                spec.clipping(),
                plain ? descent.orElse(null) : null);
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
        return step(state, parameters, gradient, 1);
    }

    /**
     * A step whose learning rate is the scheduled one times a factor, as for a stale gradient; with
     * the factor 1 it is the plain step to the bit.
     *
     * @return the state for the next step; the given one is used up
     */
    public OptimizerState step(
            OptimizerState state, MemorySegment parameters, MemorySegment gradient, double factor) {
        int count = state.requireFits(rule.vectors(), parameters, gradient);
        double learningRate = factor * learningRate(state);
        if (descent != null) {
            descent.descend(parameters, gradient, (float) learningRate);
        } else {
            stepBlockwise(count, state, parameters, gradient, learningRate);
        }
        return state.next();
    }

    /** The scheduled rate of the next step. */
    public double learningRate(OptimizerState state) {
        return rate.at(state.steps());
    }

    private void stepBlockwise(
            int count,
            OptimizerState state,
            MemorySegment parameters,
            MemorySegment gradient,
            double learningRate) {
        Clip clip = Clip.of(clipping, gradient, norm);
        Rule.Update update = rule.update(state.steps() + 1, learningRate);
        for (int from = 0; from < count; from += Block.LARGEST) {
            block.load(from, Math.min(Block.LARGEST, count - from), parameters, gradient, state);
            clip.apply(block.gradient(), block.length());
            update.apply(block);
            block.store(parameters, state);
        }
    }
}
