package dev.equipoise.agent.channel;

import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Header in front of every payload: 32 bytes, little-endian (docs/algorithms.md, section 6).
 *
 * <pre>
 *  0 magic u32 | 4 version u8 | 5 codec u8 | 6 flags u8 | 7 dtype u8
 *  8 sender u32 | 12 round u32 | 16 modelVersion u32 | 20 elements u32
 * 24 payloadBytes u32 | 28 crc32 u32
 * </pre>
 *
 * The checksum is a CRC-32C over the 28 bytes before it and, between hosts, over the payload.
 *
 * <p>The round is the number of the frame, from 1, among the frames of its sender to its receiver.
 * The model version is the generation of the run. Codec, flags and elements are the {@link
 * PayloadType}. The elements of plain bytes (codec 0) follow from the length: float32 if it is a
 * multiple of four, else single bytes. Decoded payloads of all other codecs are float32.
 *
 * @param round number of the frame, from 1
 */
public record FrameHeader(
        PayloadType content, int sender, int round, int generation, int payloadBytes) {

    /** Length of a header, in bytes. */
    public static final int BYTES = 32;

    private static final int CHECKSUM_AT = 28;
    private static final int MAGIC = 0x45515046;
    private static final byte VERSION = 2;
    private static final byte SINGLE_BYTES = 0;
    private static final byte FLOAT32 = 1;

    static ByteBuffer allocate() {
        return ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    void encode(ByteBuffer target) {
        target.clear()
                .putInt(MAGIC)
                .put(VERSION)
                .put(content.codec())
                .put(content.flags())
                .put(dataType(content, payloadBytes))
                .putInt(sender)
                .putInt(round)
                .putInt(generation)
                .putInt(elements(content, payloadBytes))
                .putInt(payloadBytes)
                .putInt(0)
                .flip();
    }

    /** The part of an encoded header that the checksum covers. */
    static ByteBuffer covered(ByteBuffer header) {
        return header.duplicate().clear().slice(0, CHECKSUM_AT);
    }

    static void setChecksum(ByteBuffer header, int checksum) {
        header.putInt(CHECKSUM_AT, checksum);
    }

    static int checksum(ByteBuffer header) {
        return header.getInt(CHECKSUM_AT);
    }

    static FrameHeader decode(ByteBuffer source) throws IOException {
        require("magic", MAGIC, source.getInt(0));
        require("version", VERSION, source.get(4));
        int payloadBytes = source.getInt(24);
        if (payloadBytes < 0) {
            throw new StreamCorruptedException(
                    "a frame holds at most 2 GB of payload, but its header announces bytes: "
                            + Integer.toUnsignedString(payloadBytes));
        }
        PayloadType content = content(source);
        require("data type", dataType(content, payloadBytes), source.get(7));
        require("elements", elements(content, payloadBytes), source.getInt(20));
        return new FrameHeader(
                content, source.getInt(8), source.getInt(12), source.getInt(16), payloadBytes);
    }

    private static PayloadType content(ByteBuffer source) throws IOException {
        byte codec = source.get(5);
        if (codec == 0) {
            require("flags", 0, source.get(6));
            return PayloadType.PLAIN;
        }
        int elements = source.getInt(20);
        if (elements < 0) {
            throw new StreamCorruptedException(
                    "a frame holds at most 2^31 - 1 elements, but its header announces "
                            + Integer.toUnsignedString(elements));
        }
        return new PayloadType(codec, source.get(6), elements);
    }

    /** Checks the fields that the receiver knows in advance. */
    void requireExpected(int expectedSender, int expectedRound) throws IOException {
        require("sender", expectedSender, sender);
        require("round", expectedRound, round);
    }

    /**
     * Checks that this frame is plain and fills the receive buffer.
     *
     * @param capacity length of the buffer, in bytes
     */
    void requirePlain(long capacity) throws IOException {
        require("codec", 0, content.codec());
        require("payload length", Math.toIntExact(capacity), payloadBytes);
    }

    /**
     * Checks that this frame fits into the receive buffer.
     *
     * @param capacity length of the buffer, in bytes
     */
    void requireAtMost(long capacity) throws IOException {
        if (payloadBytes > capacity) {
            throw new StreamCorruptedException(
                    "the frame's payload length must be at most %d, but was %d"
                            .formatted(capacity, payloadBytes));
        }
    }

    static void requireChecksum(int announced, int computed) throws IOException {
        require("checksum", announced, computed);
    }

    private static void require(String field, int expected, int actual) throws IOException {
        if (expected != actual) {
            throw new StreamCorruptedException(
                    "the frame's %s must be %s, but was %s"
                            .formatted(
                                    field,
                                    Integer.toUnsignedString(expected),
                                    Integer.toUnsignedString(actual)));
        }
    }

    private static byte dataType(PayloadType content, int payloadBytes) {
        return !content.isPlain() || payloadBytes % Float.BYTES == 0 ? FLOAT32 : SINGLE_BYTES;
    }

    private static int elements(PayloadType content, int payloadBytes) {
        if (!content.isPlain()) {
            return content.elements();
        }
        return payloadBytes % Float.BYTES == 0 ? payloadBytes / Float.BYTES : payloadBytes;
    }
}
