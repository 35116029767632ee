package dev.equipoise.agent.optimizer;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Measures vectors, by the Euclidean norm. Many sums go side by side, as a single one would wait
 * for itself; who is added to which never changes, so that equal vectors have equal norms on all
 * replicas.
 */
final class Norm {

    private final float[] block = new float[Block.LARGEST];
    private final double[] sums = new double[Block.LARGEST];

    double of(MemorySegment vector) {
        Arrays.fill(sums, 0);
        int count = Math.toIntExact(vector.byteSize() / JAVA_FLOAT.byteSize());
        for (int from = 0; from < count; from += Block.LARGEST) {
            int length = Math.min(Block.LARGEST, count - from);
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
