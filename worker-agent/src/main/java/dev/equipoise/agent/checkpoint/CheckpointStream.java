package dev.equipoise.agent.checkpoint;

import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint to be read as bytes, straight from the memory that it is in. One thread reads, and
 * nobody writes to that memory meanwhile.
 */
public final class CheckpointStream extends InputStream {

    private final Queue<ByteBuffer> parts = new ArrayDeque<>();
    private final MessageDigest digest = Digests.sha256();
    private boolean isDigestSent;

    /**
     * Begins.
     *
     * @param ranks as many as the header says
     * @param tensors as many, and of as many numbers, as the header says
     */
    public CheckpointStream(
            CheckpointHeader header, List<RankState> ranks, List<MemorySegment> tensors) {
        parts.add(ByteBuffer.wrap(header.toBytes()));
        parts.add(bytes(ranks));
        tensors.forEach(tensor -> parts.add(tensor.asByteBuffer()));
        long left = parts.stream().mapToLong(ByteBuffer::remaining).sum();
        if (left + CheckpointHeader.DIGEST_BYTES != header.fileBytes()) {
            throw new IllegalArgumentException(
                    "%s must take %d bytes, but took %d"
                            .formatted(
                                    header,
                                    header.fileBytes(),
                                    left + CheckpointHeader.DIGEST_BYTES));
        }
    }

    private static ByteBuffer bytes(List<RankState> ranks) {
        ByteBuffer bytes =
                ByteBuffer.allocate(ranks.size() * CheckpointHeader.RANK_BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN);
        ranks.forEach(
                it -> bytes.putLong(it.steps()).putLong(it.dropout()).putLong(it.trainedNanos()));
        return bytes.flip();
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        ByteBuffer part = current();
        if (part == null) {
            return -1;
        }
        int count = Math.min(length, part.remaining());
        part.get(target, offset, count);
        if (!isDigestSent) {
            digest.update(target, offset, count);
        }
        return count;
    }

    private @Nullable ByteBuffer current() {
        while (!parts.isEmpty() && !parts.element().hasRemaining()) {
            parts.remove();
        }
        if (parts.isEmpty() && !isDigestSent) {
            isDigestSent = true;
            parts.add(ByteBuffer.wrap(digest.digest()));
        }
        return parts.peek();
    }
}
