package dev.equipoise.agent.dataset;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.network.Shape;

/** Labelled samples in memory. Immutable: threads may share it. */
public interface Dataset {

    int size();

    /** Of a sample. */
    Shape shape();

    /** Labels a sample. */
    int positions();

    int classes();

    /**
     * Fills a mini-batch with the samples at {@code order[from]} to {@code order[from + count -
     * 1]}.
     */
    void read(int[] order, int from, int count, Minibatch into);

    /** The first samples only; all of them where there are no more. */
    default Dataset limit(int samples) {
        return samples == size() ? this : new FirstSamples(this, samples);
    }
}
