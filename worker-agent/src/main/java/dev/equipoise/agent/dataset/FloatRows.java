package dev.equipoise.agent.dataset;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.network.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Samples as the network gets them, one after the other. */
final class FloatRows implements Dataset {
    private final Shape shape;
    private final int classes;
    private final float[] values;
    private final int[] labels;

    FloatRows(Shape shape, int classes, float[] values, int[] labels) {
        this.shape = shape;
        this.classes = classes;
        this.values = values;
        this.labels = labels;
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
        int length = shape.size();
        for (int i = 0; i < count; i++) {
            int sample = Objects.checkIndex(order[from + i], labels.length);
            into.label(i, 0, labels[sample]);
            MemorySegment.copy(
                    values,
                    sample * length,
                    into.values(),
                    JAVA_FLOAT,
                    (long) i * length * Float.BYTES,
                    length);
        }
    }
}
