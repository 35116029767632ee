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
 * Streams a part of a checkpoint from the memory of a rank, with its SHA-256 digest behind it. One
 * thread reads; no thread may write to that memory meanwhile.
 */
public final class CheckpointStream extends InputStream {

    private static final long MAX_BUFFER_BYTES = 1 << 30;

    private final Queue<ByteBuffer> parts = new ArrayDeque<>();
    private final MessageDigest digest = Digests.sha256();
    private boolean isDigestSent;

    public CheckpointStream(CheckpointHeader header, RankStatePart part) {
        parts.add(ByteBuffer.wrap(header.toBytes()));
        parts.add(bytes(part.numbers()));
        part.tensors().forEach(this::add);
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

    /** Splits a tensor, since a ByteBuffer holds at most 2 GB. */
    private void add(MemorySegment tensor) {
        for (long at = 0; at < tensor.byteSize(); at += MAX_BUFFER_BYTES) {
            long bytes = Math.min(MAX_BUFFER_BYTES, tensor.byteSize() - at);
            parts.add(tensor.asSlice(at, bytes).asByteBuffer());
        }
    }

    private static ByteBuffer bytes(List<Long> numbers) {
        ByteBuffer bytes =
                ByteBuffer.allocate(numbers.size() * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        numbers.forEach(bytes::putLong);
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
