package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** The implementation on the Vector API, directly from memory to memory. */
final class VectorFloatScale implements FloatScale {

    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    @Override
    public void scale(MemorySegment source, float factor, MemorySegment target) {
        Vectors.requireSameLength(source, target);
        long bytes = source.byteSize();
        long width = FLOATS.vectorByteSize();
        long whole = bytes - bytes % width;
        for (long i = 0; i < whole; i += width) {
            FloatVector.fromMemorySegment(FLOATS, source, i, ORDER)
                    .mul(factor)
                    .intoMemorySegment(target, i, ORDER);
        }
        for (long i = whole; i < bytes; i += Float.BYTES) {
            target.set(JAVA_FLOAT_UNALIGNED, i, source.get(JAVA_FLOAT_UNALIGNED, i) * factor);
        }
    }
}
