package dev.equipoise.agent.dataset;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.network.Shape.Image;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Labelled images in memory, one byte a value. Immutable: threads may share it. */
public final class Dataset {
    private static final float[] SCALED = scaled();

    private final Image shape;
    private final int classes;
    private final int size;
    private final byte[] images;
    private final byte[] labels;

    Dataset(Image shape, int classes, int size, byte[] images, byte[] labels) {
        this.shape = shape;
        this.classes = classes;
        this.size = size;
        this.images = images;
        this.labels = labels;
    }

    public Image shape() {
        return shape;
    }

    public int classes() {
        return classes;
    }

    public int size() {
        return size;
    }

    public int label(int sample) {
        return labels[Objects.checkIndex(sample, size)];
    }

    /** The first samples only; all of them where there are no more. */
    public Dataset limit(int samples) {
        if (samples < 1) {
            throw new IllegalArgumentException("limit must be positive, but was " + samples);
        }
        return new Dataset(shape, classes, Math.min(samples, size), images, labels);
    }

    /**
     * Fills a mini-batch with the samples at {@code order[from]} to {@code order[from + count -
     * 1]}, values scaled from 0..255 to [0, 1].
     */
    public void read(int[] order, int from, int count, Minibatch into) {
        Objects.checkFromIndexSize(from, count, order.length);
        into.resize(count);
        for (int i = 0; i < count; i++) {
            int sample = Objects.checkIndex(order[from + i], size);
            into.label(i, 0, labels[sample]);
            scale(sample, into.values(), (long) i * shape.size());
        }
    }

    private void scale(int sample, MemorySegment to, long at) {
        int length = shape.size();
        int start = sample * length;
        for (int i = 0; i < length; i++) {
            to.setAtIndex(JAVA_FLOAT, at + i, SCALED[images[start + i] & 0xff]);
        }
    }

    private static float[] scaled() {
        float[] values = new float[256];
        for (int i = 0; i < values.length; i++) {
            values[i] = i / 255f;
        }
        return values;
    }
}
