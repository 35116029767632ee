package dev.equipoise.agent.replica;

import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.network.HiddenSlice;
import dev.equipoise.agent.time.Pace;
import java.lang.foreign.MemorySegment;
import java.util.function.IntFunction;

/** At the pace of the machine that it stands for. */
final class LocalSliceLearner implements SliceLearner {

    private final SliceGradients gradients;
    private final IntFunction<Pace> paces;
    private Pace pace;

    /**
     * @param paces by epoch, from 1
     */
    LocalSliceLearner(SliceGradients gradients, IntFunction<Pace> paces) {
        this.gradients = gradients;
        this.paces = paces;
        this.pace = paces.apply(1);
    }

    @Override
    public HiddenSlice hidden() {
        return gradients.hidden();
    }

    @Override
    public void begin(int epoch) {
        pace = paces.apply(epoch);
    }

    @Override
    public MemorySegment sums(int[] order, Slice samples) {
        pace.begin();
        MemorySegment sums = gradients.sums(order, samples, pace::rest);
        pace.end();
        return sums;
    }

    @Override
    public double learn() {
        pace.begin();
        double loss = gradients.gradient(pace::rest);
        pace.end();
        return loss;
    }
}
