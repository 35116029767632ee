package dev.equipoise.protocol.checkpoint;

import dev.equipoise.protocol.RunId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Header of one rank's part of a checkpoint. All numbers are little-endian. After the header follow
 * the rank's counters, 64 bits each; the state that all ranks share, and the rank's own state, as
 * float32; and the SHA-256 of everything before it. Only the part of rank 0 contains the shared
 * state. A checkpoint is complete once the parts of all ranks exist.
 *
 * @param generation that wrote the checkpoint
 * @param epoch after which it was written, from 1
 * @param ranks of that generation, each of which writes a part
 * @param rank that wrote the part
 * @param numbers count of the rank's counters
 * @param common float32 values that are the same on every rank; 0 except in the part of rank 0
 * @param own float32 values of the rank's own state
 */
public record CheckpointHeader(
        RunId run,
        int generation,
        int epoch,
        int ranks,
        int rank,
        int numbers,
        long common,
        long own) {

    /** Size of the header. */
    public static final int BYTES = 64;

    public static final int DIGEST_BYTES = 32;

    /** Limit that keeps the sum of sizes from overflowing. */
    private static final long MAX_FLOATS = 1L << 40;

    private static final int MAX_RANKS = 1 << 16;
    private static final int MAX_NUMBERS = 1 << 16;
    private static final int VERSION = 2;
    private static final byte[] MAGIC = "EQUICKPT".getBytes(StandardCharsets.US_ASCII);

    public CheckpointHeader {
        requireBetween("generation", generation, 1, Integer.MAX_VALUE);
        requireBetween("epoch", epoch, 1, Integer.MAX_VALUE);
        requireBetween("ranks", ranks, 1, MAX_RANKS);
        requireBetween("rank", rank, 0, ranks - 1L);
        requireBetween("numbers", numbers, 0, MAX_NUMBERS);
        requireBetween("common", common, 0, rank == 0 ? MAX_FLOATS : 0);
        requireBetween("own", own, 0, MAX_FLOATS);
    }

    private static void requireBetween(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%s must be from %d to %d, but was %d".formatted(name, least, most, value));
        }
    }

    /** Returns the size of the whole file, in bytes. */
    public long fileBytes() {
        return BYTES + (long) numbers * Long.BYTES + (common + own) * Float.BYTES + DIGEST_BYTES;
    }

    /** Returns the header as stored in the file. */
    public byte[] toBytes() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(MAGIC)
                .putInt(VERSION)
                .putLong(run.value().getMostSignificantBits())
                .putLong(run.value().getLeastSignificantBits())
                .putInt(generation)
                .putInt(epoch)
                .putInt(ranks)
                .putInt(rank)
                .putInt(numbers)
                .putLong(common)
                .putLong(own);
        return bytes.array();
    }

    /**
     * Reads a header.
     *
     * @throws IllegalArgumentException if the bytes are no header of this version
     */
    public static CheckpointHeader read(byte[] header) {
        ByteBuffer bytes = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
        if (header.length != BYTES
                || !bytes.slice(0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))) {
            throw new IllegalArgumentException("it does not begin with the magic bytes EQUICKPT");
        }
        bytes.position(MAGIC.length);
        int version = bytes.getInt();
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "its format version must be %d, but was %d".formatted(VERSION, version));
        }
        var run = RunId.of(new UUID(bytes.getLong(), bytes.getLong()));
        return new CheckpointHeader(
                run,
                bytes.getInt(),
                bytes.getInt(),
                bytes.getInt(),
                bytes.getInt(),
                bytes.getInt(),
                bytes.getLong(),
                bytes.getLong());
    }
}
