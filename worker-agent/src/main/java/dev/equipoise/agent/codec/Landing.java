package dev.equipoise.agent.codec;

import java.lang.foreign.MemorySegment;

/** What becomes of a decoded block; its values are used up. */
@FunctionalInterface
interface Landing {

    /** Where in the vector the block begins, in elements. */
    void put(Block decoded, int from);

    static Landing overwriting(MemorySegment vector) {
        return (decoded, from) -> decoded.write(vector, from);
    }

    /** The vector passes through the scratch block. */
    static Landing adding(float factor, MemorySegment vector, Block scratch) {
        return (decoded, from) -> {
            scratch.read(vector, from, decoded.length());
            decoded.scaleAndAdd(factor, scratch);
            decoded.write(vector, from);
        };
    }
}
