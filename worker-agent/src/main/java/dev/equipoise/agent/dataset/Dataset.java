package dev.equipoise.agent.dataset;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.dataset.Augmentation;
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

    /** Adds the inputs of the first samples to a digest, with all that changes what is read. */
    void addInputs(SampleDigest digest, int samples);

    /** Adds the labels of the first samples to a digest, unless they are among the inputs. */
    void addLabels(SampleDigest digest, int samples);

    /**
     * Returns the samples with this augmentation, as in epoch 1.
     *
     * @param seed of the run
     * @throws IllegalArgumentException when the samples are no images, unless there is nothing to
     *     augment
     */
    default Dataset augmented(Augmentation augmentation, long seed) {
        if (!augmentation.equals(Augmentation.NONE)) {
            throw new IllegalArgumentException(
                    "only images can be augmented, but a sample is " + shape());
        }
        return this;
    }

    /**
     * Returns the samples as an augmentation draws them in an epoch; these without one.
     *
     * @param epoch from 1
     */
    default Dataset inEpoch(int epoch) {
        return this;
    }

    /** Returns the first samples, at most all. */
    default Dataset limit(int samples) {
        return samples == size() ? this : new FirstSamples(this, samples);
    }
}
