package dev.equipoise.agent.training;

import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.network.HiddenSlice;
import java.lang.foreign.MemorySegment;

/**
 * Computes with the hidden units of a rank, in two parts between which its group sums, and takes
 * the time of the rank's slowdown.
 */
public interface SliceLearner {

    HiddenSlice hidden();

    /** Sets the slowdown and the augmentation of an epoch, counted from 1. */
    void begin(int epoch);

    /**
     * Computes this rank's part of the sums before the outputs.
     *
     * @return samples by outputs, to be overwritten by the sums over the group
     */
    MemorySegment sums(int[] order, Slice samples);

    /**
     * Computes the gradient of the hidden units over the same samples.
     *
     * @return mean loss of a prediction; 0 without samples
     */
    double learn();
}
