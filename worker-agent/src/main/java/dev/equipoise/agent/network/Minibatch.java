package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.protocol.network.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Mini-batch of labeled samples, which every step refills. Words and labels are time-major: all
 * samples of the first position, then all of the second; therefore {@link #resize} precedes
 * filling. Confined to the training thread.
 */
public final class Minibatch {
    private final Shape shape;
    private final int positions;
    private final MemorySegment values;
    private final int[] tokens;
    private final int[] labels;
    private int size;

    /**
     * @param shape of a sample
     * @param positions labels per sample
     * @param capacity limit of samples
     * @param memory holds the values; must outlive this
     */
    public Minibatch(Shape shape, int positions, int capacity, Arena memory) {
        boolean words = shape instanceof Shape.Tokens;
        int numbers = Math.multiplyExact(capacity, shape.size());
        this.shape = shape;
        this.positions = positions;
        this.values = memory.allocate(JAVA_FLOAT, words ? 0 : numbers);
        this.tokens = new int[words ? numbers : 0];
        this.labels = new int[Math.multiplyExact(capacity, positions)];
    }

    public Shape shape() {
        return shape;
    }

    public int positions() {
        return positions;
    }

    /** Returns the current number of samples; memory behind them keeps its content. */
    public int size() {
        return size;
    }

    /** Returns the limit of samples. */
    public int capacity() {
        return labels.length / positions;
    }

    /** Returns the current number of labels. */
    public int labelCount() {
        return size * positions;
    }

    public void resize(int newSize) {
        if (newSize < 0 || newSize * positions > labels.length) {
            throw new IllegalArgumentException(
                    "size must be between 0 and %d, but was %d"
                            .formatted(labels.length / positions, newSize));
        }
        size = newSize;
    }

    /**
     * Returns the values, one sample after the other in the order of their shape, as native
     * float32; empty for words.
     */
    public MemorySegment values() {
        return values;
    }

    /** Returns the word indices; position t of sample i is at {@code t * size() + i}. */
    public int[] tokens() {
        return tokens;
    }

    /** Returns the labels; position t of sample i is at {@code t * size() + i}. */
    public int[] labels() {
        return labels;
    }

    public void token(int sample, int position, int word) {
        tokens[index(sample, position, shape.size())] = word;
    }

    public void label(int sample, int position, int label) {
        labels[index(sample, position, positions)] = label;
    }

    private int index(int sample, int position, int length) {
        return Objects.checkIndex(position, length) * size + Objects.checkIndex(sample, size);
    }
}
