package dev.equipoise.agent.codec;

import java.lang.foreign.MemorySegment;

/** Consumes a decoded block and may overwrite its values. */
@FunctionalInterface
interface DecodeSink {

    /** Consumes a block that begins at this element of the vector. */
    void put(Block decoded, int from);

    static DecodeSink overwriting(MemorySegment vector) {
        return (decoded, from) -> decoded.write(vector, from);
    }

    /**
     * Adds the decoded blocks, times a factor, to the vector, which is read through the scratch
     * block.
     */
    static DecodeSink adding(float factor, MemorySegment vector, Block scratch) {
        return (decoded, from) -> {
            scratch.read(vector, from, decoded.length());
            decoded.scaleAndAdd(factor, scratch);
            decoded.write(vector, from);
        };
    }
}
