package dev.equipoise.agent.dataset;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.network.Shape;

/** Labeled samples in memory. Immutable, so that threads may share it. */
public interface Dataset {

    int size();

    /** Returns the shape of a sample. */
    Shape shape();

    /** Returns the number of labels of a sample. */
    int positions();

    int classes();

    /**
     * Fills a mini-batch with the samples at {@code order[from]} to {@code order[from + count -
     * 1]}.
     */
    void read(int[] order, int from, int count, Minibatch into);

    /** Returns the first samples, at most all. */
    default Dataset limit(int samples) {
        return samples == size() ? this : new FirstSamples(this, samples);
    }
}
