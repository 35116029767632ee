package dev.equipoise.agent.checkpoint;

import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.List;

/** Reads a part of a checkpoint into the memory of a rank, and verifies it. */
public final class CheckpointReader {

    private static final int SLICE = 1 << 16;

    private final RunId run;
    private final int epoch;

    /** Reads checkpoints of a run after an epoch, of any generation. */
    public CheckpointReader(RunId run, int epoch) {
        this.run = run;
        this.epoch = epoch;
    }

    /** Thrown when a stream holds no intact checkpoint of the expected run, epoch and rank. */
    public static final class Corrupt extends IOException {

        private static final long serialVersionUID = 1;

        Corrupt(String message) {
            super(message);
        }
    }

    /**
     * Overwrites the tensors of a part; after a failure their content is undefined.
     *
     * @param ranks number of ranks that stored a part of the checkpoint
     * @param part as in {@link Checkpoints#load}
     * @return the numbers
     * @throws Corrupt when the stream holds another checkpoint or an altered one
     */
    public long[] read(InputStream stream, int ranks, RankStatePart part) throws IOException {
        var digested = new DigestInputStream(stream, Digests.sha256());
        CheckpointHeader header = header(digested);
        requireFits(header, ranks, part);
        long[] numbers = numbers(digested, header.numbers());
        read(digested, part.common(), header.common());
        read(digested, part.own(), header.own());
        byte[] digest = digested.getMessageDigest().digest();
        if (!MessageDigest.isEqual(digest, exactly(stream, CheckpointHeader.DIGEST_BYTES))
                || stream.read() >= 0) {
            throw new Corrupt("the SHA-256 digest does not match its bytes");
        }
        return numbers;
    }

    private static CheckpointHeader header(InputStream stream) throws IOException {
        byte[] bytes = exactly(stream, CheckpointHeader.BYTES);
        try {
            return CheckpointHeader.read(bytes);
        } catch (IllegalArgumentException e) {
            throw new Corrupt(String.valueOf(e.getMessage()));
        }
    }

    private void requireFits(CheckpointHeader header, int ranks, RankStatePart part)
            throws Corrupt {
        long common = RankStatePart.floats(part.common());
        long own = RankStatePart.floats(part.own());
        if (!header.run().equals(run)
                || header.epoch() != epoch
                || header.ranks() != ranks
                || header.rank() != part.rank()
                || (common > 0 && header.common() != common)
                || header.own() < own) {
            throw new Corrupt(
                    ("it must be of run %s, epoch %d, rank %d of %d, with %d and %d floats,"
                                    + " but was %s")
                            .formatted(run, epoch, part.rank(), ranks, common, own, header));
        }
    }

    private static long[] numbers(InputStream stream, int count) throws IOException {
        ByteBuffer bytes =
                ByteBuffer.wrap(exactly(stream, count * Long.BYTES)).order(ByteOrder.LITTLE_ENDIAN);
        long[] numbers = new long[count];
        bytes.asLongBuffer().get(numbers);
        return numbers;
    }

    /** Reads the given number of floats: fills the tensors, and skips the rest. */
    private static void read(InputStream stream, List<MemorySegment> tensors, long floats)
            throws IOException {
        for (MemorySegment tensor : tensors) {
            fill(stream, tensor);
        }
        long left = (floats - RankStatePart.floats(tensors)) * Float.BYTES;
        while (left > 0) {
            left -= exactly(stream, (int) Math.min(SLICE, left)).length;
        }
    }

    private static void fill(InputStream stream, MemorySegment tensor) throws IOException {
        for (long at = 0; at < tensor.byteSize(); at += SLICE) {
            int count = (int) Math.min(SLICE, tensor.byteSize() - at);
            tensor.asSlice(at, count).copyFrom(MemorySegment.ofArray(exactly(stream, count)));
        }
    }

    private static byte[] exactly(InputStream stream, int count) throws IOException {
        byte[] bytes = stream.readNBytes(count);
        if (bytes.length < count) {
            throw new Corrupt("it ends too early");
        }
        return bytes;
    }
}
