package dev.equipoise.protocol.checkpoint;

import dev.equipoise.protocol.RunId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * What a checkpoint begins with. All numbers are little-endian. After the header come the states of
 * the ranks, {@value #RANK_BYTES} bytes each; then the weights and the vectors that the optimizer
 * remembers, as float32; then the SHA-256 of all before it.
 *
 * @param generation the one that has written it
 * @param epoch after which it was written, from 1
 * @param parameters how many weights there are
 * @param vectors how many numbers the optimizer remembers for each
 */
public record CheckpointHeader(
        RunId run, int generation, int epoch, int ranks, long parameters, int vectors) {

    /** Of the header itself. */
    public static final int BYTES = 56;

    /** Optimizer steps, what dropout draws next, nanoseconds trained: 64 bits each. */
    public static final int RANK_BYTES = 3 * Long.BYTES;

    public static final int DIGEST_BYTES = 32;

    /** So that sizes can be added up. */
    private static final long MOST_PARAMETERS = Integer.MAX_VALUE;

    private static final int MOST_RANKS = 1 << 16;
    private static final int MOST_VECTORS = 8;
    private static final int VERSION = 1;
    private static final byte[] MAGIC = "EQUICKPT".getBytes(StandardCharsets.US_ASCII);

    public CheckpointHeader {
        requireBetween("generation", generation, 1, Integer.MAX_VALUE);
        requireBetween("epoch", epoch, 1, Integer.MAX_VALUE);
        requireBetween("ranks", ranks, 1, MOST_RANKS);
        requireBetween("parameters", parameters, 1, MOST_PARAMETERS);
        requireBetween("vectors", vectors, 0, MOST_VECTORS);
    }

    private static void requireBetween(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%s must be from %d to %d, but was %d".formatted(name, least, most, value));
        }
    }

    /** Of the whole file. */
    public long fileBytes() {
        return BYTES
                + (long) ranks * RANK_BYTES
                + (1L + vectors) * parameters * Float.BYTES
                + DIGEST_BYTES;
    }

    /** As it stands in the file. */
    public byte[] toBytes() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(MAGIC)
                .putInt(VERSION)
                .putLong(run.value().getMostSignificantBits())
                .putLong(run.value().getLeastSignificantBits())
                .putInt(generation)
                .putInt(epoch)
                .putInt(ranks)
                .putLong(parameters)
                .putInt(vectors)
                .putInt(0);
        return bytes.array();
    }

    /**
     * Reads a header.
     *
     * @throws IllegalArgumentException where it is none, or of another version
     */
    public static CheckpointHeader read(byte[] header) {
        ByteBuffer bytes = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
        if (header.length != BYTES
                || !bytes.slice(0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))) {
            throw new IllegalArgumentException("it does not begin as a checkpoint does");
        }
        bytes.position(MAGIC.length);
        int version = bytes.getInt();
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "its version must be %d, but was %d".formatted(VERSION, version));
        }
        var run = RunId.of(new UUID(bytes.getLong(), bytes.getLong()));
        return new CheckpointHeader(
                run,
                bytes.getInt(),
                bytes.getInt(),
                bytes.getInt(),
                bytes.getLong(),
                bytes.getInt());
    }
}
