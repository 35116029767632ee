package dev.equipoise.agent.optimizer;

import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.OptimizerSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Optimizer: steps a flat parameter vector in place against a flat gradient; both native float32.
 * The state that is passed in carries everything between steps; the optimizer's own memory serves a
 * single step, so that only one thread steps at a time.
 */
public final class Optimizer {

    private final Rule rule;
    private final LearningRate rate;
    private final Clipping clipping;
    private final CoupledDecay decay;
    private final @Nullable Descent descent;
    private final Block block;
    private final Norm norm = new Norm();

    private Optimizer(
            Rule rule,
            LearningRate rate,
            Clipping clipping,
            CoupledDecay decay,
            @Nullable Descent descent) {
        this.rule = rule;
        this.rate = rate;
        this.clipping = clipping;
        this.decay = decay;
        this.descent = descent;
        this.block = new Block(rule.vectors());
    }

    /** Creates the optimizer for a run with this many steps. */
    public static Optimizer of(OptimizerSpec spec, int stepsPerEpoch, int epochs) {
        return of(spec, stepsPerEpoch, epochs, Optional.empty());
    }

    /**
     * Creates the optimizer for a run with this many steps.
     *
     * @param descent makes plain SGD steps: without momentum, clipping and weight decay
     */
    public static Optimizer of(
            OptimizerSpec spec, int stepsPerEpoch, int epochs, Optional<Descent> descent) {
        Rule rule = Rule.of(spec);
        var decay = new CoupledDecay((float) spec.coupledDecay());
        boolean plain =
                rule instanceof Sgd && spec.clipping() instanceof Clipping.None && decay.isNone();
        return new Optimizer(
                rule,
                new LearningRate(spec.learningRate(), spec.schedule(), stepsPerEpoch, epochs),
                spec.clipping(),
                decay,
                plain ? descent.orElse(null) : null);
    }

    /** Returns the state before the first step; its vectors live as long as the arena. */
    public OptimizerState initialState(int parameterCount, Arena arena) {
        return OptimizerState.zero(rule.vectors(), parameterCount, arena);
    }

    /**
     * Overwrites the parameters and the vectors of the state; the gradient stays unchanged.
     *
     * @return state for the next step; the given one is no longer valid
     * @throws IllegalArgumentException when the vectors differ in length, or the state belongs to
     *     another optimizer
     */
    public OptimizerState step(
            OptimizerState state, MemorySegment parameters, MemorySegment gradient) {
        return step(state, parameters, gradient, 1);
    }

    /**
     * Steps with the scheduled learning rate times a factor, such as the correction for a stale
     * gradient; the factor 1 gives the plain step to the bit.
     *
     * @return state for the next step; the given one is no longer valid
     */
    public OptimizerState step(
            OptimizerState state, MemorySegment parameters, MemorySegment gradient, double factor) {
        return stepAtRate(state, parameters, gradient, factor * learningRate(state), Scaling.NONE);
    }

    /**
     * Steps with a given learning rate, whatever the schedule says.
     *
     * @param scaling factors that both vectors contain; none gives the plain step to the bit
     * @return state for the next step; the given one is no longer valid
     */
    public OptimizerState stepAtRate(
            OptimizerState state,
            MemorySegment parameters,
            MemorySegment gradient,
            double learningRate,
            Scaling scaling) {
        int count = state.requireFits(rule.vectors(), parameters, gradient);
        if (descent != null) {
            descent.descend(parameters, gradient, (float) learningRate);
        } else {
            Clip clip = Clip.of(clipping, scaling.gradient(), gradient, norm);
            Rule.Update update = rule.update(state.steps() + 1, learningRate);
            for (int from = 0; from < count; from += Block.MAX_LENGTH) {
                block.load(
                        from,
                        Math.min(Block.MAX_LENGTH, count - from),
                        parameters,
                        gradient,
                        state);
                clip.apply(block.gradient(), block.length());
                decay.apply(block, scaling);
                update.apply(block);
                block.store(parameters, state);
            }
        }
        return state.next();
    }

    /** Returns the scheduled learning rate of the next step. */
    public double learningRate(OptimizerState state) {
        return learningRate(state.steps());
    }

    /**
     * Returns the scheduled learning rate of a step.
     *
     * @param step of the schedule, from 0
     */
    public double learningRate(long step) {
        return rate.at(step);
    }
}
