package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A part of a vector in an array that stays in the nearest cache. Loops over arrays are vectorized
 * whatever the alignment; loops over native segments often are not. The elements behind the length,
 * up to the next multiple of {@link Kernels#STRIDE}, are zero.
 */
final class Block {

    /** The largest length, in elements. */
    static final int MAX_LENGTH = 1024;

    /**
     * Sums of squares below this are recomputed in double: above it, and below infinity, float32
     * has neither overflowed nor underflowed.
     */
    private static final double MIN_SQUARES = 1e-20;

    private final Kernels kernels;
    private final float[] values = new float[MAX_LENGTH];
    private int length;

    Block(Kernels kernels) {
        this.kernels = kernels;
    }

    /** Returns the number of float32 elements of a vector. */
    static int elements(MemorySegment vector) {
        long bytes = vector.byteSize();
        if (bytes % Float.BYTES != 0 || bytes / Float.BYTES > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    ("a vector must have at most 2^31 - 1 float32 elements of 4 bytes, but has %d"
                                    + " bytes")
                            .formatted(bytes));
        }
        return (int) (bytes / Float.BYTES);
    }

    /** Returns the number of elements of the block that begins at an index. */
    static int lengthAt(int from, int end) {
        return Math.min(MAX_LENGTH, end - from);
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

    /** Reads elements and checks that they are finite. */
    void readFinite(MemorySegment vector, int from, int count) {
        read(vector, from, count);
        int index = firstNotFinite();
        if (index < length) {
            throw new NotFinite(from + index, values[index]);
        }
    }

    /** Checks that all elements of a vector are finite. */
    void requireFinite(MemorySegment vector) {
        int elements = elements(vector);
        for (int from = 0; from < elements; from += MAX_LENGTH) {
            readFinite(vector, from, lengthAt(from, elements));
        }
    }

    /** Adds a vector, whose elements must be finite, to another one of the same length. */
    void addFinite(MemorySegment addend, MemorySegment sum, Block scratch) {
        int elements = elements(addend);
        DecodeSink sink = DecodeSink.adding(1, sum, scratch);
        for (int from = 0; from < elements; from += MAX_LENGTH) {
            readFinite(addend, from, lengthAt(from, elements));
            sink.put(this, from);
        }
    }

    /** Returns the index of the first element that is not finite; the length if there is none. */
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

    /** Changes the length; the caller then writes the elements. */
    void resize(int count) {
        length = count;
        Arrays.fill(values, count, Math.ceilDiv(count, Kernels.STRIDE) * Kernels.STRIDE, 0);
    }

    void write(MemorySegment vector, int from) {
        MemorySegment.copy(values, 0, vector, JAVA_FLOAT_UNALIGNED, 4L * from, length);
    }

    /** Replaces this block by the other one plus a factor times this one. */
    void scaleAndAdd(float factor, Block other) {
        float[] addends = other.values;
        for (int i = 0; i < length; i++) {
            values[i] = addends[i] + factor * values[i];
        }
    }

    /** Adds a factor times another block of the same length. */
    void addScaled(float factor, Block other) {
        float[] addends = other.values;
        for (int i = 0; i < length; i++) {
            values[i] += factor * addends[i];
        }
    }

    /** Makes this a block of {@code count} zeros. */
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

    /** Returns the Euclidean norm. */
    double norm() {
        double squares = kernels.dot(values, values, length);
        boolean isAccurate = squares > MIN_SQUARES && Double.isFinite(squares);
        return Math.sqrt(isAccurate ? squares : exactSquares());
    }

    private double exactSquares() {
        double squares = 0;
        for (int i = 0; i < length; i++) {
            squares += (double) values[i] * values[i];
        }
        return squares;
    }
}
