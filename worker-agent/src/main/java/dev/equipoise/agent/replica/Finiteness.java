package dev.equipoise.agent.replica;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;

/** Tells whether a vector of floats holds numbers alone, at the speed at which it can be read. */
final class Finiteness {

    private static final int BLOCK = 2048;
    private static final int MAGNITUDE = 0x7fff_ffff;

    /** The bits of infinity; those of all that is no number are greater. */
    private static final int INFINITY = 0x7f80_0000;

    private final int[] block = new int[BLOCK];

    boolean of(MemorySegment vector) {
        int count = Math.toIntExact(vector.byteSize() / Integer.BYTES);
        for (int from = 0; from < count; from += BLOCK) {
            int length = Math.min(BLOCK, count - from);
            MemorySegment.copy(vector, JAVA_INT, 4L * from, block, 0, length);
            if (greatest(length) >= INFINITY) {
                return false;
            }
        }
        return true;
    }

    private int greatest(int length) {
        int greatest = 0;
        for (int i = 0; i < length; i++) {
            greatest = Math.max(greatest, block[i] & MAGNITUDE);
        }
        return greatest;
    }
}
