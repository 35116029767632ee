package dev.equipoise.agent.codec;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The layout of a float32 in a payload: little-endian, unaligned. */
final class Float32 {

    static final ValueLayout.OfFloat LAYOUT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(LITTLE_ENDIAN);

    private Float32() {}

    /**
     * Reads a number.
     *
     * @throws FrameCorrupt if it is NaN or infinite
     */
    static float finite(MemorySegment payload, long offset) {
        float value = payload.get(LAYOUT, offset);
        if (!Float.isFinite(value)) {
            throw FrameCorrupt.of("a value must be finite", value, offset);
        }
        return value;
    }

    /**
     * Reads a number.
     *
     * @param name of the number, for a message
     * @throws FrameCorrupt if it is NaN, infinite or negative
     */
    static float finiteNotNegative(String name, MemorySegment payload, long offset) {
        float value = payload.get(LAYOUT, offset);
        if (!(value >= 0 && value <= Float.MAX_VALUE)) {
            throw FrameCorrupt.of(name + " must be finite and not negative", value, offset);
        }
        return value;
    }
}
