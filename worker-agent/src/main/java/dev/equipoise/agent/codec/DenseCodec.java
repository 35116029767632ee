package dev.equipoise.agent.codec;

import java.lang.foreign.MemorySegment;

/** Codec whose frames have all elements of the vector, so that decoding overwrites each of them. */
sealed interface DenseCodec extends Codec permits Qsgd, Sign {

    /**
     * Decodes a frame block by block.
     *
     * @param vector gives the number of elements
     * @throws FrameCorrupt if this codec cannot have produced the frame
     */
    void decode(Frame frame, MemorySegment vector, DecodeSink sink);

    /** Returns a block for the vector to which a frame is added. */
    Block scratch();

    @Override
    default void decode(Frame frame, CodecRandom random, MemorySegment vector) {
        decode(frame, vector, DecodeSink.overwriting(vector));
    }

    @Override
    default void add(Frame frame, CodecRandom random, float factor, MemorySegment vector) {
        decode(frame, vector, DecodeSink.adding(factor, vector, scratch()));
    }
}
