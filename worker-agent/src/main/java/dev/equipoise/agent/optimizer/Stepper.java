package dev.equipoise.agent.optimizer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** An optimizer at work on one vector of weights: it has the state. One thread uses it. */
public final class Stepper {

    private final Optimizer optimizer;
    private final MemorySegment weights;
    private OptimizerState state;

    /**
     * @param weights float32, which every step overwrites
     * @param memory of the state; must outlive it
     */
    public Stepper(Optimizer optimizer, MemorySegment weights, Arena memory) {
        this.optimizer = optimizer;
        this.weights = weights;
        this.state =
                optimizer.initialState(Math.toIntExact(weights.byteSize() / Float.BYTES), memory);
    }

    /**
     * One step against a gradient.
     *
     * @param factor that multiplies the learning rate in this step alone
     * @return the learning rate of the step
     */
    public double step(MemorySegment gradient, double factor) {
        double rate = factor * optimizer.learningRate(state);
        state = optimizer.step(state, weights, gradient, factor);
        return rate;
    }

    /** All that it remembers, as it is now; the next step overwrites the vectors. */
    public OptimizerState state() {
        return state;
    }

    /** Goes on as after so many steps; what it remembers for each weight stands there already. */
    public void resume(long steps) {
        state = state.after(steps);
    }

    /** What it remembers for each weight; whoever writes there changes what it does next. */
    public List<MemorySegment> memories() {
        return state.vectors();
    }

    /** Forgets everything but how many steps were made. */
    public void forget() {
        state = state.forgetting();
    }
}
