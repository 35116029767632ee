package dev.equipoise.agent.codec;

/*
 * Modified Gram-Schmidt with each column orthogonalized twice, after which the result is
 * orthonormal up to rounding (Giraud, Langou and Rozloznik 2005). Sums are computed in double and
 * in a fixed order, so that equal factors stay equal on all ranks.
 */

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/** Makes the columns of a factor orthonormal. */
final class Orthonormal {

    /** Fraction of a column's length below which the remainder is only rounding. */
    private static final double MIN_REMAINDER = 1e-5;

    private static final int PASSES = 2;

    private Orthonormal() {}

    /**
     * Orthonormalizes the columns, which are stored one after the other. A column that depends
     * linearly on the columns before it becomes zero.
     */
    static void make(MemorySegment factor, int length, int columns) {
        for (int k = 0; k < columns; k++) {
            double before = norm(factor, length, k);
            for (int pass = 0; pass < PASSES; pass++) {
                for (int j = 0; j < k; j++) {
                    addScaled(factor, length, k, -dot(factor, length, k, j), j);
                }
            }
            double remainder = norm(factor, length, k);
            scale(factor, length, k, remainder > MIN_REMAINDER * before ? 1 / remainder : 0);
        }
    }

    static double norm(MemorySegment factor, int length, int column) {
        return Math.sqrt(dot(factor, length, column, column));
    }

    private static double dot(MemorySegment factor, int length, int left, int right) {
        double sum = 0;
        for (int i = 0; i < length; i++) {
            sum += (double) get(factor, length, left, i) * get(factor, length, right, i);
        }
        return sum;
    }

    private static void addScaled(
            MemorySegment factor, int length, int target, double scale, int addend) {
        for (int i = 0; i < length; i++) {
            double sum = get(factor, length, target, i) + scale * get(factor, length, addend, i);
            set(factor, length, target, i, (float) sum);
        }
    }

    private static void scale(MemorySegment factor, int length, int column, double scale) {
        for (int i = 0; i < length; i++) {
            set(factor, length, column, i, (float) (scale * get(factor, length, column, i)));
        }
    }

    private static float get(MemorySegment factor, int length, int column, int i) {
        return factor.get(
                JAVA_FLOAT_UNALIGNED, JAVA_FLOAT_UNALIGNED.scale(0, (long) column * length + i));
    }

    private static void set(MemorySegment factor, int length, int column, int i, float value) {
        factor.set(
                JAVA_FLOAT_UNALIGNED,
                JAVA_FLOAT_UNALIGNED.scale(0, (long) column * length + i),
                value);
    }
}
