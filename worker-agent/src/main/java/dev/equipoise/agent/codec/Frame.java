package dev.equipoise.agent.codec;

import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.channel.FrameHeader;
import java.lang.foreign.MemorySegment;

/**
 * A coded vector, as it goes to a channel or comes from one.
 *
 * @param codec the id of the codec, 1 to 255; 0 would be plain float32
 * @param flags what the codec wants to know besides, such as the coding of its indices
 * @param elements of the decoded vector
 * @param payload what travels behind the header; a view of the room it was encoded into
 */
public record Frame(int codec, int flags, int elements, MemorySegment payload) {

    private static final int LARGEST_BYTE = 255;

    /** Checks what fits into the header. */
    public Frame {
        requireByte("codec", codec);
        requireByte("flags", flags);
        if (elements < 0) {
            throw new IllegalArgumentException("elements must be at least 0, but was " + elements);
        }
    }

    /**
     * A frame that has come. Plain bytes make one too, of codec 0 and no elements, which every
     * codec refuses to decode.
     *
     * @param payload a view of the room that the frame has filled
     */
    public static Frame of(Content content, MemorySegment payload) {
        return new Frame(
                Byte.toUnsignedInt(content.codec()),
                Byte.toUnsignedInt(content.flags()),
                content.elements(),
                payload);
    }

    /** What a channel sends besides the payload. */
    public Content content() {
        return new Content((byte) codec, (byte) flags, elements);
    }

    /** What the frame costs on the wire, header included. */
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
