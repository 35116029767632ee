package dev.equipoise.agent.optimizer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Optimizer with its state, for one vector of weights. One thread uses it. */
public final class Stepper {

    private final Optimizer optimizer;
    private final MemorySegment weights;
    private OptimizerState state;

    /**
     * @param weights float32; every step overwrites them
     * @param memory holds the state; must outlive this
     */
    public Stepper(Optimizer optimizer, MemorySegment weights, Arena memory) {
        this.optimizer = optimizer;
        this.weights = weights;
        this.state =
                optimizer.initialState(Math.toIntExact(weights.byteSize() / Float.BYTES), memory);
    }

    /**
     * Makes one step against a gradient.
     *
     * @param factor multiplies the learning rate of this step
     * @return the learning rate of the step
     */
    public double step(MemorySegment gradient, double factor) {
        return stepAt(state.steps(), gradient, factor);
    }

    /**
     * Makes one step at a position of the learning rate schedule, which may differ from the number
     * of steps made.
     *
     * @param position step of the schedule, from 0
     * @param factor multiplies the learning rate of this step
     * @return the learning rate of the step
     */
    public double stepAt(long position, MemorySegment gradient, double factor) {
        return stepAt(position, gradient, factor, Scaling.NONE);
    }

    /**
     * Makes one step of vectors that contain factors.
     *
     * @param position step of the schedule, from 0
     * @param factor multiplies the learning rate of this step
     * @return the learning rate of the step
     */
    public double stepAt(long position, MemorySegment gradient, double factor, Scaling scaling) {
        double rate = factor * rate(position);
        state = optimizer.stepAtRate(state, weights, gradient, rate, scaling);
        return rate;
    }

    /**
     * Returns the scheduled learning rate.
     *
     * @param position step of the schedule, from 0
     */
    public double rate(long position) {
        return optimizer.learningRate(position);
    }

    /**
     * Steps against the rest of a gradient whose first part made a step. The number of steps, which
     * the learning rate follows, stays.
     */
    public void stepAgain(MemorySegment rest) {
        long steps = state.steps();
        state = optimizer.step(state, weights, rest, 1).after(steps);
    }

    /** Returns the current state; the next step overwrites its vectors. */
    public OptimizerState state() {
        return state;
    }

    /** Continues after this many steps; the state vectors must have been restored before. */
    public void resume(long steps) {
        state = state.after(steps);
    }

    /** Returns the state vectors; writing to them changes the next steps. */
    public List<MemorySegment> memories() {
        return state.vectors();
    }

    /** Zeroes the state vectors, and keeps the number of steps. */
    public void forget() {
        state = state.forgetting();
    }
}
