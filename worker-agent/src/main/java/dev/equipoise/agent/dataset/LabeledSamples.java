package dev.equipoise.agent.dataset;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.network.Shape;
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
    @FunctionalInterface
    interface Values {

        /**
         * Writes all numbers of a sample.
         *
         * @param at index of the first number, in floats
         */
        void write(int sample, MemorySegment into, long at);
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
    public void read(int[] order, int from, int count, Minibatch into) {
        Objects.checkFromIndexSize(from, count, order.length);
        into.resize(count);
        for (int i = 0; i < count; i++) {
            int sample = Objects.checkIndex(order[from + i], labels.length);
            into.label(i, 0, labels[sample]);
            values.write(sample, into.values(), (long) i * shape.size());
        }
    }
}
