package dev.equipoise.agent.collective;

import java.lang.foreign.MemorySegment;

/** What collectives ask of the vectors that they are given. */
final class Vectors {

    private Vectors() {}

    /** Counts the elements, of which there may be any number. */
    static long elements(MemorySegment vector) {
        return elements(vector, Long.MAX_VALUE / Float.BYTES);
    }

    /**
     * Counts the elements.
     *
     * @throws IllegalArgumentException if there are more than the memory set aside allows
     */
    static long elements(MemorySegment vector, long most) {
        if (vector.byteSize() > most * Float.BYTES || vector.byteSize() % Float.BYTES != 0) {
            throw new IllegalArgumentException(
                    "the vector must be of float32 and at most %d bytes, but has %d"
                            .formatted(most * Float.BYTES, vector.byteSize()));
        }
        return vector.byteSize() / Float.BYTES;
    }

    /** Refuses two vectors of unlike lengths. */
    static void requireSameLength(MemorySegment source, MemorySegment target) {
        if (source.byteSize() != target.byteSize()) {
            throw new IllegalArgumentException(
                    "the vectors must be as long, but have %d and %d bytes"
                            .formatted(source.byteSize(), target.byteSize()));
        }
    }
}
