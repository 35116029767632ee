package dev.equipoise.agent.training;

import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.network.HiddenSlice;
import dev.equipoise.agent.time.Throttle;
import java.lang.foreign.MemorySegment;
import java.util.function.IntFunction;

/** Computes with a rank's hidden units at the throttled speed of the rank. */
final class LocalSliceLearner implements SliceLearner {

    private final SliceGradients gradients;
    private final IntFunction<Throttle> throttles;
    private Throttle throttle;
    private int epoch = 1;

    /**
     * @param throttles throttles by epoch, from 1
     */
    LocalSliceLearner(SliceGradients gradients, IntFunction<Throttle> throttles) {
        this.gradients = gradients;
        this.throttles = throttles;
        this.throttle = throttles.apply(1);
    }

    @Override
    public HiddenSlice hidden() {
        return gradients.hidden();
    }

    @Override
    public void begin(int number) {
        epoch = number;
        throttle = throttles.apply(number);
    }

    @Override
    public MemorySegment sums(int[] order, Slice samples) {
        throttle.begin();
        MemorySegment sums = gradients.sums(epoch, order, samples, throttle::rest);
        throttle.end();
        return sums;
    }

    @Override
    public double learn() {
        throttle.begin();
        double loss = gradients.gradient(throttle::rest);
        throttle.end();
        return loss;
    }
}
