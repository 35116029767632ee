package dev.equipoise.agent.virtual;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/** A pool of memory for frames under way, in sizes of powers of two. */
final class Buffers implements AutoCloseable {

    private static final int MIN_BITS = 6;

    private final Arena memory = Arena.ofShared();
    private final List<Deque<MemorySegment>> free =
            Stream.generate(() -> (Deque<MemorySegment>) new ArrayDeque<MemorySegment>())
                    .limit(Integer.SIZE)
                    .toList();

    /** Takes a buffer of at least the given bytes, from 1 byte to 2 GB. */
    MemorySegment take(long bytes) {
        int bits = bits(bytes);
        MemorySegment used = free.get(bits).pollFirst();
        return used == null ? memory.allocate(1L << bits, Long.BYTES) : used;
    }

    void giveBack(MemorySegment buffer) {
        free.get(bits(buffer.byteSize())).addFirst(buffer);
    }

    @Override
    public void close() {
        memory.close();
    }

    private static int bits(long bytes) {
        return Math.max(MIN_BITS, Long.SIZE - Long.numberOfLeadingZeros(bytes - 1));
    }
}
