package dev.equipoise.agent.replica;

import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.network.HiddenSlice;
import java.lang.foreign.MemorySegment;

/**
 * Computes with a rank's hidden units, in two pieces between which its group sums, and takes as
 * much of the rank's time as it should.
 */
interface SliceLearner {

    HiddenSlice hidden();

    /** Is as fast as it should be in an epoch, counted from 1. */
    void begin(int epoch);

    /**
     * This rank's part of the sums before the outputs.
     *
     * @return samples by outputs, to be overwritten by the sums over the group
     */
    MemorySegment sums(int[] order, Slice samples);

    /**
     * Overwrites the gradient of the hidden units by that over the same samples.
     *
     * @return the mean loss of a prediction; 0 of no samples
     */
    double learn();
}
