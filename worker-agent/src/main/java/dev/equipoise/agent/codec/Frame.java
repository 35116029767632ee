package dev.equipoise.agent.codec;

import dev.equipoise.agent.channel.FrameHeader;
import dev.equipoise.agent.channel.PayloadType;
import java.lang.foreign.MemorySegment;

/**
 * An encoded vector, as it is sent and received by a channel.
 *
 * @param codec the id of the codec, 1 to 255; 0 is plain float32
 * @param flags parameters of the codec, such as the coding of its indices
 * @param elements number of elements of the decoded vector
 * @param payload the bytes behind the header; a view of the buffer into which they were encoded
 */
public record Frame(int codec, int flags, int elements, MemorySegment payload) {

    private static final int LARGEST_BYTE = 255;

    /** Checks that the values fit into the header. */
    public Frame {
        requireByte("codec", codec);
        requireByte("flags", flags);
        if (elements < 0) {
            throw new IllegalArgumentException("elements must be at least 0, but was " + elements);
        }
    }

    /**
     * Creates a frame from a received payload. Plain bytes result in a frame of codec 0 without
     * elements, which every codec refuses to decode.
     *
     * @param payload a view of the part of the receive buffer that the frame has filled
     */
    public static Frame of(PayloadType content, MemorySegment payload) {
        return new Frame(
                Byte.toUnsignedInt(content.codec()),
                Byte.toUnsignedInt(content.flags()),
                content.elements(),
                payload);
    }

    /** The payload type, which a channel sends in the header. */
    public PayloadType content() {
        return new PayloadType((byte) codec, (byte) flags, elements);
    }

    /** Size of the frame in bytes, header included. */
    public long bytes() {
        return FrameHeader.BYTES + payload.byteSize();
    }

    private static void requireByte(String name, int value) {
        if (value < 0 || value > LARGEST_BYTE) {
            throw new IllegalArgumentException(
                    "%s must be from 0 to 255, but was %d".formatted(name, value));
        }
    }
}
