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

/** Reads a part of a checkpoint straight to where it belongs, and makes sure that it is whole. */
public final class CheckpointReader {

    private static final int SLICE = 1 << 16;

    private final RunId run;
    private final int epoch;

    /** Of the run, after the epoch, whichever generation has written it. */
    public CheckpointReader(RunId run, int epoch) {
        this.run = run;
        this.epoch = epoch;
    }

    /** What was read is no checkpoint that belongs here. */
    public static final class Corrupt extends IOException {

        private static final long serialVersionUID = 1;

        Corrupt(String message) {
            super(message);
        }
    }

    /**
     * Overwrites the tensors of a part; where it fails, nobody knows what is in them.
     *
     * @param ranks that have left the checkpoint
     * @param part as {@link Checkpoints#load} has it
     * @return the numbers
     * @throws Corrupt where it is another one, or not as it was written
     */
    public long[] read(InputStream stream, int ranks, Part part) throws IOException {
        var digested = new DigestInputStream(stream, Digests.sha256());
        CheckpointHeader header = header(digested);
        requireFits(header, ranks, part);
        long[] numbers = numbers(digested, header.numbers());
        read(digested, part.common(), header.common());
        read(digested, part.own(), header.own());
        byte[] digest = digested.getMessageDigest().digest();
        if (!MessageDigest.isEqual(digest, exactly(stream, CheckpointHeader.DIGEST_BYTES))
                || stream.read() >= 0) {
            throw new Corrupt("its bytes are not those that were written");
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

    private void requireFits(CheckpointHeader header, int ranks, Part part) throws Corrupt {
        long common = Part.floats(part.common());
        long own = Part.floats(part.own());
        if (!header.run().equals(run)
                || header.epoch() != epoch
                || header.ranks() != ranks
                || header.rank() != part.rank()
                || (common > 0 && header.common() != common)
                || header.own() < own) {
            throw new Corrupt(
                    "it must be of run %s, epoch %d, rank %d of %d, with %d and %d floats, but was %s"
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

    /** What nobody wants of so many floats is passed over. */
    private static void read(InputStream stream, List<MemorySegment> tensors, long floats)
            throws IOException {
        for (MemorySegment tensor : tensors) {
            fill(stream, tensor);
        }
        long left = (floats - Part.floats(tensors)) * Float.BYTES;
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
