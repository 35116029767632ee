package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Room for labelled samples, filled anew for every step. Confined to the thread that trains. */
public final class Minibatch {
    private final Shape shape;
    private final MemorySegment images;
    private final int[] labels;
    private int size;

    public Minibatch(Shape shape, int capacity) {
        this.shape = shape;
        this.labels = new int[capacity];
        this.images =
                Arena.ofAuto()
                        .allocate(JAVA_FLOAT, Math.multiplyExact((long) capacity, shape.size()));
    }

    public Shape shape() {
        return shape;
    }

    /** How many samples there are now; the room behind them is left as it was. */
    public int size() {
        return size;
    }

    public void resize(int newSize) {
        if (newSize < 0 || newSize > labels.length) {
            throw new IllegalArgumentException(
                    "size must be between 0 and %d, but was %d".formatted(labels.length, newSize));
        }
        size = newSize;
    }

    /** The room for all samples, one after the other: rows, columns, channels; native float32. */
    public MemorySegment images() {
        return images;
    }

    public int label(int sample) {
        return labels[Objects.checkIndex(sample, size)];
    }

    public void label(int sample, int label) {
        labels[Objects.checkIndex(sample, size)] = label;
    }
}
