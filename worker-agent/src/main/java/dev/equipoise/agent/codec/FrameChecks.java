package dev.equipoise.agent.codec;

import java.lang.foreign.MemorySegment;

/** Checks that a codec, its frames and the given memory fit one another. */
final class FrameChecks {

    private FrameChecks() {}

    static void require(Frame frame, int codec, MemorySegment vector) {
        require("the codec must be ", codec, frame.codec());
        require("the elements must be ", Block.elements(vector), frame.elements());
    }

    static void requireFlags(Frame frame, int flags) {
        require("the flags must be ", flags, frame.flags());
    }

    static void requireBytes(Frame frame, long bytes) {
        require("the bytes of the payload must be ", bytes, frame.payload().byteSize());
    }

    /** Returns the beginning of the buffer, as long as the largest payload. */
    static MemorySegment buffer(MemorySegment buffer, long largestPayload) {
        if (buffer.byteSize() < largestPayload) {
            throw new IllegalArgumentException(
                    "the payload buffer must have at least %d bytes, but has %d"
                            .formatted(largestPayload, buffer.byteSize()));
        }
        return buffer.asSlice(0, largestPayload);
    }

    private static void require(String rule, long expected, long actual) {
        if (expected != actual) {
            throw FrameCorrupt.of(rule + expected, actual, 0);
        }
    }
}
