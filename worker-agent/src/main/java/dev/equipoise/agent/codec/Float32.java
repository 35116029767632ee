package dev.equipoise.agent.codec;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A float32 as it stands in a payload. */
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
}
