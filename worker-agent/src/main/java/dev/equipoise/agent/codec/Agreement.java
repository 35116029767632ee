package dev.equipoise.agent.codec;

import java.lang.foreign.MemorySegment;

/** What a codec, its frames, and the memory that it is handed must agree on. */
final class Agreement {

    private Agreement() {}

    static void require(Frame frame, Codec codec, MemorySegment vector) {
        require("the codec must be ", codec.id(), frame.codec());
        require("the elements must be ", Block.elements(vector), frame.elements());
    }

    static void requireFlags(Frame frame, int flags) {
        require("the flags must be ", flags, frame.flags());
    }

    static void requireBytes(Frame frame, long bytes) {
        require("the bytes of the payload must be ", bytes, frame.payload().byteSize());
    }

    /** Returns the beginning of the room. */
    static MemorySegment room(MemorySegment room, long largestPayload) {
        if (room.byteSize() < largestPayload) {
            throw new IllegalArgumentException(
                    "the room must have at least %d bytes, but has %d"
                            .formatted(largestPayload, room.byteSize()));
        }
        return room.asSlice(0, largestPayload);
    }

    private static void require(String rule, long expected, long actual) {
        if (expected != actual) {
            throw FrameCorrupt.of(rule + expected, actual, 0);
        }
    }
}
