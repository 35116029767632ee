package dev.equipoise.agent.collective;

import java.lang.foreign.MemorySegment;

/** Checks the vectors that collectives are given. */
final class Vectors {

    private Vectors() {}

    /** Returns the number of elements. */
    static long elements(MemorySegment vector) {
        return elements(vector, Long.MAX_VALUE / Float.BYTES);
    }

    /**
     * Returns the number of elements.
     *
     * @throws IllegalArgumentException if there are more elements than the allocated memory holds
     */
    static long elements(MemorySegment vector, long limit) {
        if (vector.byteSize() > limit * Float.BYTES || vector.byteSize() % Float.BYTES != 0) {
            throw new IllegalArgumentException(
                    "the vector must be of float32 and at most %d bytes, but has %d"
                            .formatted(limit * Float.BYTES, vector.byteSize()));
        }
        return vector.byteSize() / Float.BYTES;
    }

    /** Checks that two vectors have equal lengths. */
    static void requireSameLength(MemorySegment source, MemorySegment target) {
        if (source.byteSize() != target.byteSize()) {
            throw new IllegalArgumentException(
                    "the vectors must have equal lengths, but have %d and %d bytes"
                            .formatted(source.byteSize(), target.byteSize()));
        }
    }
}
