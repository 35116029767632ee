package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;

/**
 * The implementation in plain Java, through an array, for the reason that {@link ScalarFloatSum}
 * gives.
 */
final class ScalarFloatScale implements FloatScale {

    private static final int BLOCK = 1024;

    private final float[] products = new float[BLOCK];

    @Override
    public void scale(MemorySegment source, float factor, MemorySegment target) {
        Vectors.requireSameLength(source, target);
        long blockBytes = (long) BLOCK * Float.BYTES;
        for (long start = 0; start < source.byteSize(); start += blockBytes) {
            int count = (int) (Math.min(blockBytes, source.byteSize() - start) / Float.BYTES);
            MemorySegment.copy(source, JAVA_FLOAT, start, products, 0, count);
            for (int i = 0; i < count; i++) {
                products[i] *= factor;
            }
            MemorySegment.copy(products, 0, target, JAVA_FLOAT, start, count);
        }
    }
}
