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
import java.util.stream.IntStream;

/** Reads a checkpoint straight to where it belongs, and makes sure that it is whole. */
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
     * Overwrites the tensors; where it fails, nobody knows what is in them.
     *
     * @return the states of the ranks
     * @throws Corrupt where it is another one, or not as it was written
     */
    public List<RankState> read(InputStream stream, int ranks, List<MemorySegment> tensors)
            throws IOException {
        var digested = new DigestInputStream(stream, Digests.sha256());
        requireFits(header(digested), ranks, tensors);
        List<RankState> states = states(digested, ranks);
        for (MemorySegment tensor : tensors) {
            fill(digested, tensor);
        }
        byte[] digest = digested.getMessageDigest().digest();
        if (!MessageDigest.isEqual(digest, exactly(stream, CheckpointHeader.DIGEST_BYTES))
                || stream.read() >= 0) {
            throw new Corrupt("its bytes are not those that were written");
        }
        return states;
    }

    private static CheckpointHeader header(InputStream stream) throws IOException {
        byte[] bytes = exactly(stream, CheckpointHeader.BYTES);
        try {
            return CheckpointHeader.read(bytes);
        } catch (IllegalArgumentException e) {
            throw new Corrupt(String.valueOf(e.getMessage()));
        }
    }

    private void requireFits(CheckpointHeader header, int ranks, List<MemorySegment> tensors)
            throws Corrupt {
        var wanted =
                new CheckpointHeader(
                        run,
                        header.generation(),
                        epoch,
                        ranks,
                        tensors.getFirst().byteSize() / Float.BYTES,
                        tensors.size() - 1);
        if (!header.equals(wanted)) {
            throw new Corrupt("it must be %s, but was %s".formatted(wanted, header));
        }
    }

    private static List<RankState> states(InputStream stream, int ranks) throws IOException {
        ByteBuffer bytes =
                ByteBuffer.wrap(exactly(stream, ranks * CheckpointHeader.RANK_BYTES))
                        .order(ByteOrder.LITTLE_ENDIAN);
        return IntStream.range(0, ranks)
                .mapToObj(_ -> new RankState(bytes.getLong(), bytes.getLong(), bytes.getLong()))
                .toList();
    }

    private static void fill(InputStream stream, MemorySegment tensor) throws IOException {
        ByteBuffer target = tensor.asByteBuffer();
        while (target.hasRemaining()) {
            target.put(exactly(stream, Math.min(SLICE, target.remaining())));
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
