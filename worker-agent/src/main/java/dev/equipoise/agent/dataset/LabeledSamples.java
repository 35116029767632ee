package dev.equipoise.agent.dataset;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.dataset.Augmentation;
import dev.equipoise.protocol.network.Shape;
import dev.equipoise.protocol.network.Shape.Image;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Numeric samples with one label each. */
final class LabeledSamples implements Dataset {
    private final Shape shape;
    private final int classes;
    private final int[] labels;
    private final Values values;

    LabeledSamples(Shape shape, int classes, int[] labels, Values values) {
        this.shape = shape;
        this.classes = classes;
        this.labels = labels;
        this.values = values;
    }

    /** Values of the samples. Immutable. */
    interface Values {

        /**
         * Writes consecutive numbers of a sample.
         *
         * @param from index of the first number of the sample; of images, the first channel of a
         *     pixel
         * @param count numbers; of images, those of whole pixels
         * @param at index at which the first number is written, in floats
         */
        void write(int sample, int from, int count, MemorySegment into, long at);

        /** Adds the values of the first samples to a digest, as they are stored. */
        void addTo(SampleDigest digest, int samples);

        /** Returns a channel of a black pixel; 0 of samples that are no images. */
        default float black(int channel) {
            return 0;
        }
    }

    @Override
    public int size() {
        return labels.length;
    }

    @Override
    public Shape shape() {
        return shape;
    }

    @Override
    public int positions() {
        return 1;
    }

    @Override
    public int classes() {
        return classes;
    }

    @Override
    public void addInputs(SampleDigest digest, int samples) {
        values.addTo(digest, samples);
    }

    @Override
    public void addLabels(SampleDigest digest, int samples) {
        digest.add(labels, samples);
    }

    @Override
    public Dataset augmented(Augmentation augmentation, long seed) {
        return shape instanceof Image image && !augmentation.equals(Augmentation.NONE)
                ? AugmentedImages.of(this, image, augmentation, seed)
                : Dataset.super.augmented(augmentation, seed);
    }

    @Override
    public void read(int[] order, int from, int count, Minibatch into) {
        Objects.checkFromIndexSize(from, count, order.length);
        int length = shape.size();
        into.resize(count);
        for (int i = 0; i < count; i++) {
            int sample = label(order[from + i], i, into);
            values.write(sample, 0, length, into.values(), (long) i * length);
        }
    }

    /** Writes the label of a sample, and returns the checked number of the sample. */
    int label(int sample, int index, Minibatch into) {
        into.label(index, 0, labels[Objects.checkIndex(sample, labels.length)]);
        return sample;
    }

    Values values() {
        return values;
    }
}
