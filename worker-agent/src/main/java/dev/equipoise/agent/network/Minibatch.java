package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.protocol.network.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Room for labelled samples, filled anew for every step. Words and labels lie time-major: all
 * samples of the first position, then all of the second; so {@link #resize} comes before filling.
 * Confined to the thread that trains.
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
     * @param positions labels a sample
     * @param capacity the most samples at a time
     * @param memory where the values lie; must outlive it
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

    /** How many samples there are now; the room behind them is left as it was. */
    public int size() {
        return size;
    }

    /** The most samples at a time. */
    public int capacity() {
        return labels.length / positions;
    }

    /** How many labels there are now. */
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
     * The room for all samples but those of words, one after the other in the order of their shape;
     * native float32.
     */
    public MemorySegment values() {
        return values;
    }

    /** The words; position t of sample i is at {@code t * size() + i}. */
    public int[] tokens() {
        return tokens;
    }

    /** The labels; position t of sample i is at {@code t * size() + i}. */
    public int[] labels() {
        return labels;
    }

    public void token(int sample, int position, int word) {
        tokens[at(sample, position, shape.size())] = word;
    }

    public void label(int sample, int position, int label) {
        labels[at(sample, position, positions)] = label;
    }

    private int at(int sample, int position, int length) {
        return Objects.checkIndex(position, length) * size + Objects.checkIndex(sample, size);
    }
}
