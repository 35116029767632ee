package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** The implementation on the Vector API, directly from memory to memory. */
final class VectorFloatSum implements FloatSum {

    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    @Override
    public void add(MemorySegment target, long at, MemorySegment addend, long from, long bytes) {
        long width = FLOATS.vectorByteSize();
        long whole = bytes - bytes % width;
        for (long i = 0; i < whole; i += width) {
            FloatVector.fromMemorySegment(FLOATS, target, at + i, ORDER)
                    .add(FloatVector.fromMemorySegment(FLOATS, addend, from + i, ORDER))
                    .intoMemorySegment(target, at + i, ORDER);
        }
        for (long i = whole; i < bytes; i += Float.BYTES) {
            float sum =
                    target.get(JAVA_FLOAT_UNALIGNED, at + i)
                            + addend.get(JAVA_FLOAT_UNALIGNED, from + i);
            target.set(JAVA_FLOAT_UNALIGNED, at + i, sum);
        }
    }
}
