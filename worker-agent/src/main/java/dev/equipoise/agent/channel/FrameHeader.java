package dev.equipoise.agent.channel;

import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What stands before every payload, little-endian:
 *
 * <pre>
 *  0 magic u32 | 4 version u8 | 5 codec u8 | 6 flags u8 | 7 dtype u8
 *  8 sender u32 | 12 round u32 | 16 modelVersion u32 | 20 elements u32
 * 24 payloadBytes u32 | 28 crc32 u32
 * </pre>
 *
 * The round is the number of the frame, from 1, among those of its sender to its receiver. The
 * model version is the generation of the run. The codec is 0 and the flags are 0: what a payload
 * means is agreed between those who exchange it, so that {@code elements} follows from its length
 * alone: float32 where the length is a multiple of four, single bytes otherwise.
 */
record FrameHeader(int sender, int round, int generation, int payloadBytes, int checksum) {

    static final int BYTES = 32;

    private static final int MAGIC = 0x45515046;
    private static final byte VERSION = 1;
    private static final byte PLAIN = 0;
    private static final byte SINGLE_BYTES = 0;
    private static final byte FLOAT32 = 1;

    static ByteBuffer allocate() {
        return ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    void encode(ByteBuffer target) {
        target.clear()
                .putInt(MAGIC)
                .put(VERSION)
                .put(PLAIN)
                .put((byte) 0)
                .put(dataType(payloadBytes))
                .putInt(sender)
                .putInt(round)
                .putInt(generation)
                .putInt(elements(payloadBytes))
                .putInt(payloadBytes)
                .putInt(checksum)
                .flip();
    }

    static FrameHeader decode(ByteBuffer source) throws IOException {
        require("magic", MAGIC, source.getInt(0));
        require("version", VERSION, source.get(4));
        require("codec", PLAIN, source.get(5));
        int payloadBytes = source.getInt(24);
        if (payloadBytes < 0) {
            throw new StreamCorruptedException(
                    "a frame has at most 2 GB, but announced "
                            + Integer.toUnsignedString(payloadBytes));
        }
        require("data type", dataType(payloadBytes), source.get(7));
        require("elements", elements(payloadBytes), source.getInt(20));
        return new FrameHeader(
                source.getInt(8),
                source.getInt(12),
                source.getInt(16),
                payloadBytes,
                source.getInt(28));
    }

    /** Checks all that the receiver knows beforehand. */
    void requireExpected(int sender, int round, int payloadBytes) throws IOException {
        require("sender", sender, this.sender);
        require("round", round, this.round);
        require("payload length", payloadBytes, this.payloadBytes);
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

    private static byte dataType(int payloadBytes) {
        return payloadBytes % Float.BYTES == 0 ? FLOAT32 : SINGLE_BYTES;
    }

    private static int elements(int payloadBytes) {
        return payloadBytes % Float.BYTES == 0 ? payloadBytes / Float.BYTES : payloadBytes;
    }
}
