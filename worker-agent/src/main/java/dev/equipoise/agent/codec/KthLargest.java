package dev.equipoise.agent.codec;

/*
 * A radix select. The bits of a nonnegative float grow with its value, so two counting passes
 * suffice: one by the upper 15 bits of the magnitude, and, among the elements that share these with
 * the k-th largest, one by the lower 16 bits.
 */

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Finds the k-th largest magnitude of a vector in two passes. */
final class KthLargest {

    private static final int LOWER_BITS = 16;
    private static final int LOWER = (1 << LOWER_BITS) - 1;
    private static final int MAGNITUDE = 0x7fff_ffff;

    private final int[] counts = new int[1 << LOWER_BITS];
    private final Block block;

    KthLargest(Kernels kernels) {
        block = new Block(kernels);
    }

    /**
     * Returns the threshold that selects the k largest magnitudes; among equal ones, the first.
     *
     * @param k from 1 to the number of elements
     * @throws IllegalArgumentException if an element is not finite
     */
    MagnitudeThreshold largest(int k, MemorySegment vector) {
        countUpper(vector);
        int upper = (MAGNITUDE >>> LOWER_BITS) + 1;
        int remaining = k;
        while (remaining > counts[--upper]) {
            remaining -= counts[upper];
        }
        countLower(vector, upper);
        int lower = LOWER + 1;
        while (remaining > counts[--lower]) {
            remaining -= counts[lower];
        }
        return new MagnitudeThreshold(Float.intBitsToFloat(upper << LOWER_BITS | lower), remaining);
    }

    private void countUpper(MemorySegment vector) {
        Arrays.fill(counts, 0);
        int elements = Block.elements(vector);
        for (int from = 0; from < elements; from += Block.MAX_LENGTH) {
            block.readFinite(vector, from, Block.lengthAt(from, elements));
            countUpper(block.values(), block.length());
        }
    }

    private void countUpper(float[] values, int length) {
        for (int i = 0; i < length; i++) {
            counts[magnitude(values[i]) >>> LOWER_BITS]++;
        }
    }

    private void countLower(MemorySegment vector, int upper) {
        Arrays.fill(counts, 0);
        int elements = Block.elements(vector);
        for (int from = 0; from < elements; from += Block.MAX_LENGTH) {
            block.read(vector, from, Block.lengthAt(from, elements));
            countLower(block.values(), block.length(), upper);
        }
    }

    private void countLower(float[] values, int length, int upper) {
        for (int i = 0; i < length; i++) {
            int magnitude = magnitude(values[i]);
            if (magnitude >>> LOWER_BITS == upper) {
                counts[magnitude & LOWER]++;
            }
        }
    }

    private static int magnitude(float value) {
        return Float.floatToRawIntBits(value) & MAGNITUDE;
    }
}
