package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * As much of a vector as is worked on at a time, in an array that stays in the nearest cache: loops
 * over arrays are vectorised whatever the alignment, those over native segments often are not. What
 * lies behind the length, up to the next multiple of {@link Kernels#STRIDE}, is zero.
 */
final class Block {

    /** In elements. */
    static final int LARGEST = 1024;

    /** Sums of squares in float32 are right in between, and neither overflowed nor underflowed. */
    private static final double LEAST_SQUARES = 1e-20;

    private final Kernels kernels;
    private final float[] values = new float[LARGEST];
    private int length;

    Block(Kernels kernels) {
        this.kernels = kernels;
    }

    /** The number of float32 elements of a vector. */
    static int elements(MemorySegment vector) {
        long bytes = vector.byteSize();
        if (bytes % Float.BYTES != 0 || bytes / Float.BYTES > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "a vector must be of at most 2^31 - 1 float32, but has %d bytes"
                            .formatted(bytes));
        }
        return (int) (bytes / Float.BYTES);
    }

    /** How many elements the block that begins there holds. */
    static int lengthAt(int from, int end) {
        return Math.min(LARGEST, end - from);
    }

    float[] values() {
        return values;
    }

    int length() {
        return length;
    }

    void read(MemorySegment vector, int from, int count) {
        resize(count);
        MemorySegment.copy(vector, JAVA_FLOAT_UNALIGNED, 4L * from, values, 0, count);
    }

    /** Reads what must be numbers. */
    void readFinite(MemorySegment vector, int from, int count) {
        read(vector, from, count);
        int wrong = firstNotFinite();
        if (wrong < length) {
            throw new NotFinite(from + wrong, values[wrong]);
        }
    }

    /** Passes through a whole vector. */
    void requireFinite(MemorySegment vector) {
        int elements = elements(vector);
        for (int from = 0; from < elements; from += LARGEST) {
            readFinite(vector, from, lengthAt(from, elements));
        }
    }

    /** Adds a vector, which must hold numbers, to one of the same length. */
    void addFinite(MemorySegment addend, MemorySegment sum, Block scratch) {
        int elements = elements(addend);
        Landing landing = Landing.adding(1, sum, scratch);
        for (int from = 0; from < elements; from += LARGEST) {
            readFinite(addend, from, lengthAt(from, elements));
            landing.put(this, from);
        }
    }

    /** The length if there is none. */
    int firstNotFinite() {
        if (kernels.areFinite(values, length)) {
            return length;
        }
        int i = 0;
        while (Float.isFinite(values[i])) {
            i++;
        }
        return i;
    }

    /** Makes room for a number of elements, to be written by whoever asks. */
    void resize(int count) {
        length = count;
        Arrays.fill(values, count, Math.ceilDiv(count, Kernels.STRIDE) * Kernels.STRIDE, 0);
    }

    void write(MemorySegment vector, int from) {
        MemorySegment.copy(values, 0, vector, JAVA_FLOAT_UNALIGNED, 4L * from, length);
    }

    /** This becomes the other plus a factor times this. */
    void scaleAndAdd(float factor, Block other) {
        float[] addends = other.values;
        for (int i = 0; i < length; i++) {
            values[i] = addends[i] + factor * values[i];
        }
    }

    /** Adds a factor times the other, which is as long. */
    void addScaled(float factor, Block other) {
        float[] addends = other.values;
        for (int i = 0; i < length; i++) {
            values[i] += factor * addends[i];
        }
    }

    /** So many zeros. */
    void clear(int count) {
        length = count;
        Arrays.fill(values, 0, Math.ceilDiv(count, Kernels.STRIDE) * Kernels.STRIDE, 0);
    }

    double sumOfMagnitudes() {
        double sum = kernels.sumOfMagnitudes(values, length);
        return Double.isFinite(sum) ? sum : exactSumOfMagnitudes();
    }

    private double exactSumOfMagnitudes() {
        double sum = 0;
        for (int i = 0; i < length; i++) {
            sum += Math.abs(values[i]);
        }
        return sum;
    }

    /** The Euclidean norm. */
    double norm() {
        double squares = kernels.dot(values, values, length);
        boolean right = squares > LEAST_SQUARES && Double.isFinite(squares);
        return Math.sqrt(right ? squares : exactSquares());
    }

    private double exactSquares() {
        double squares = 0;
        for (int i = 0; i < length; i++) {
            squares += (double) values[i] * values[i];
        }
        return squares;
    }
}
