package dev.equipoise.agent.optimizer;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Computes Euclidean norms. Many partial sums run side by side, since a single one would wait for
 * itself; the order of the additions is fixed, so that equal vectors have equal norms on all
 * replicas.
 */
final class Norm {

    private final float[] block = new float[Block.MAX_LENGTH];
    private final double[] sums = new double[Block.MAX_LENGTH];

    double of(MemorySegment vector) {
        Arrays.fill(sums, 0);
        int count = Math.toIntExact(vector.byteSize() / JAVA_FLOAT.byteSize());
        for (int from = 0; from < count; from += Block.MAX_LENGTH) {
            int length = Math.min(Block.MAX_LENGTH, count - from);
            MemorySegment.copy(vector, JAVA_FLOAT, JAVA_FLOAT.scale(0, from), block, 0, length);
            addSquares(block, sums, length);
        }
        double sum = 0;
        for (double part : sums) {
            sum += part;
        }
        return Math.sqrt(sum);
    }

    private static void addSquares(float[] elements, double[] sums, int length) {
        for (int i = 0; i < length; i++) {
            double element = elements[i];
            sums[i] += element * element;
        }
    }
}
